import type { ByteReader, ByteWriter } from '@shoal/codec';
import {
  type DetectorBucket,
  type DetectorSpec,
  type Finding,
  type Judge,
  RARITY_LEAST,
  type RuleVerdict,
} from './detector.js';

/** Buckets before the first result. */
const BUCKETS_LEAST = 24;
/** Rate at which the share of buckets with new values is learnt; and the least that a new value counts for. */
const NOVELTY_RATE = 0.03;
const NOVELTY_LEAST = 0.02;
/** A value that was seen once in p of the buckets is this often as rare as its share says. */
const RARITY_FACTOR = 1.6;
/** Values that a partition remembers. */
const VALUES_MAX = 200_000;

/** What a partition has seen. */
interface Seen {
  buckets: number;
  novelty: number;
  /** Buckets with each value; with an over field: members that had it. */
  readonly counts: Map<string, number>;
  readonly members: Map<string, Set<string>>;
  readonly population: Set<string>;
}

/**
 * Judges how seldom a value comes: by the share of buckets, or of the members of a population, that had it before. A
 * value that was never seen counts for as much as new values are rare (Good, 1953): where each bucket has new
 * ones, none of them is news.
 */
export class RareJudge implements Judge {
  readonly #spec: DetectorSpec;
  readonly #partitions = new Map<string, Seen>();

  constructor(spec: DetectorSpec) {
    this.#spec = spec;
  }

  get bytes(): number {
    let bytes = 0;
    for (const { counts, population } of this.#partitions.values())
      bytes += 200 + 120 * counts.size + 80 * population.size;
    return bytes;
  }

  step(bucket: DetectorBucket, verdict: RuleVerdict, report: (finding: Finding) => void): void {
    const touched = new Map<Seen, Set<string>>();
    for (const series of bucket.gathered.keys()) {
      const { partition, by } = bucket.splits(series);
      const seen = this.#seen(partition ?? '');
      if (!touched.has(seen)) touched.set(seen, new Set());
      const { report: reports, learn } = verdict(series, 1, 0);
      const finding = reports ? this.#judge(series, seen, by ?? '', bucket.gathered.get(series)!.count) : null;
      if (finding !== null) report(finding);
      if (learn) touched.get(seen)!.add(by ?? '');
    }
    for (const [seen, values] of touched) learnBucket(seen, values);
    this.#learnMembers(bucket);
  }

  peek(bucket: DetectorBucket, report: (finding: Finding) => void): void {
    for (const [series, gather] of bucket.gathered) {
      const { partition, by } = bucket.splits(series);
      const finding = this.#judge(series, this.#seen(partition ?? ''), by ?? '', gather.count);
      if (finding !== null) report(finding);
    }
  }

  remove(): void {
    // Values are remembered by partition.
  }

  encode(out: ByteWriter): void {
    out.varint(this.#partitions.size);
    for (const [key, { buckets, novelty, counts, members, population }] of this.#partitions) {
      out.string(key);
      out.f64(buckets);
      out.f64(novelty);
      out.string(JSON.stringify([[...counts], [...members].map(([value, set]) => [value, [...set]]), [...population]]));
    }
  }

  decode(from: ByteReader): void {
    for (let n = from.varint(); n > 0; n--) {
      const key = from.string();
      const [buckets, novelty] = [from.f64(), from.f64()];
      const [counts, members, population] = JSON.parse(from.string()) as [
        [string, number][],
        [string, string[]][],
        string[],
      ];
      const sets = members.map(([value, list]): [string, Set<string>] => [value, new Set(list)]);
      this.#partitions.set(key, {
        buckets,
        novelty,
        counts: new Map(counts),
        members: new Map(sets),
        population: new Set(population),
      });
    }
  }

  #seen(partition: string): Seen {
    let seen = this.#partitions.get(partition);
    if (seen === undefined) {
      seen = { buckets: 0, novelty: 0.5, counts: new Map(), members: new Map(), population: new Set() };
      this.#partitions.set(partition, seen);
    }
    return seen;
  }

  #judge(series: number, seen: Seen, value: string, documents: number): Finding | null {
    if (seen.buckets < BUCKETS_LEAST) return null;
    const hasMembers = this.#spec.over !== null;
    const count = hasMembers ? (seen.members.get(value)?.size ?? 0) : (seen.counts.get(value) ?? 0);
    const of = hasMembers ? seen.population.size : seen.buckets;
    const isNew = count === 0;
    const novelty = isNew ? Math.max(NOVELTY_LEAST, Math.min(1, seen.novelty)) : 1;
    const share = ((count + 1) / (of + 1)) * novelty;
    const often = this.#spec.function.measure === 'freqRare' ? Math.log10(1 + documents) / 2 : 0;
    const rarity = -Math.log10(Math.min(1, share)) * RARITY_FACTOR * (1 + often);
    if (rarity < RARITY_LEAST) return null;
    return {
      series,
      rarity,
      probability: 10 ** -Math.min(300, rarity),
      typical: [count / Math.max(1, of)],
      actual: [this.#spec.function.measure === 'freqRare' ? documents : 1],
      multiBucket: -5,
      usualChange: 0,
      isSpike: true,
      isFirst: isNew,
    };
  }

  #learnMembers({ gathered, splits }: DetectorBucket): void {
    if (this.#spec.over === null) return;
    for (const series of gathered.keys()) {
      const { partition, by, over } = splits(series);
      const seen = this.#seen(partition ?? '');
      if (seen.population.size < VALUES_MAX) seen.population.add(over ?? '');
      let members = seen.members.get(by ?? '');
      if (members === undefined && seen.members.size < VALUES_MAX) seen.members.set(by ?? '', (members = new Set()));
      if (members !== undefined && members.size < VALUES_MAX) members.add(over ?? '');
    }
  }
}

function learnBucket(seen: Seen, values: ReadonlySet<string>): void {
  seen.buckets++;
  let fresh = 0;
  for (const value of values) {
    const count = seen.counts.get(value) ?? 0;
    if (count === 0) fresh++;
    if (count > 0 || seen.counts.size < VALUES_MAX) seen.counts.set(value, count + 1);
  }
  seen.novelty += NOVELTY_RATE * (Math.min(1, fresh) - seen.novelty);
}
