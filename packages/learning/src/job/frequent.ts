import type { DetectorSpec, SplitValues } from './detector.js';

/** Share of the buckets, or of the members of a population, from which a value counts as frequent; as in 8.12. */
const FREQUENT = 0.1;

/** State of a counter as JSON. */
export interface FrequentJson {
  readonly buckets: number;
  readonly seen: readonly (readonly [string, number])[];
}

const keyOf = (partition: string | null, value: string): string => `${partition ?? ''}\u0000${value}`;

/**
 * Which values of the by and over fields of a detector are frequent (`exclude_frequent`): a value of a by field that
 * comes in more than a tenth of the buckets, or in a population with more than a tenth of its members; a value of an
 * over field that comes in more than a tenth of the buckets.
 */
export class Frequent {
  readonly #spec: DetectorSpec;
  #buckets = 0;
  /** Buckets in which each value came. */
  #seen = new Map<string, number>();
  /** Members by value of the by field, and of each partition. */
  readonly #pairs = new Map<string, number>();
  readonly #members = new Map<string, Set<string>>();

  constructor(spec: DetectorSpec) {
    this.#spec = spec;
  }

  get bytes(): number {
    return 100 * (this.#seen.size + this.#pairs.size);
  }

  /** Notes a series: in a population a member with a value of the by field. */
  add({ partition, by, over }: SplitValues): void {
    if (by === null || over === null) return;
    const key = keyOf(partition, by);
    this.#pairs.set(key, (this.#pairs.get(key) ?? 0) + 1);
    let members = this.#members.get(partition ?? '');
    if (members === undefined) this.#members.set(partition ?? '', (members = new Set()));
    members.add(over);
  }

  /** Forgets a series. Its member stays counted while the partition is known. */
  remove({ partition, by, over }: SplitValues): void {
    if (by === null || over === null) return;
    const key = keyOf(partition, by);
    const pairs = (this.#pairs.get(key) ?? 1) - 1;
    if (pairs === 0) this.#pairs.delete(key);
    else this.#pairs.set(key, pairs);
  }

  /** Counts a bucket with the series that had documents in it. */
  step(series: Iterable<SplitValues>): void {
    this.#buckets++;
    const here = new Set<string>();
    for (const { partition, by, over } of series) {
      const value = over ?? by;
      if (value !== null) here.add(keyOf(partition, value));
    }
    for (const key of here) this.#seen.set(key, (this.#seen.get(key) ?? 0) + 1);
  }

  /** Whether a series is of a frequent value of the fields that the detector names. */
  has({ partition, by, over }: SplitValues): boolean {
    const { excludeFrequent } = this.#spec;
    if (over !== null && excludeFrequent !== 'by' && this.#isOften(keyOf(partition, over))) return true;
    if (by === null || excludeFrequent === 'over') return false;
    if (over === null) return this.#isOften(keyOf(partition, by));
    const members = this.#members.get(partition ?? '')?.size ?? 0;
    return (this.#pairs.get(keyOf(partition, by)) ?? 0) > FREQUENT * members;
  }

  #isOften(key: string): boolean {
    return (this.#seen.get(key) ?? 0) > FREQUENT * this.#buckets;
  }

  toJson(): FrequentJson {
    return { buckets: this.#buckets, seen: [...this.#seen] };
  }

  /** Reads what `toJson` wrote; series are added apart. */
  restore({ buckets, seen }: FrequentJson): void {
    this.#buckets = buckets;
    this.#seen = new Map(seen);
  }
}
