import type { Measure } from './catalogue.js';
import { contentBits } from './content.js';
import { DecimalSum, type DecimalSumJson } from './decimal-sum.js';

/** Distinct values that a bucket keeps for each series; beyond them the count stays. */
const DISTINCT_MAX = 100_000;
/** Values, times or places of a bucket that are kept one by one. */
const KEPT_MAX = 10_000;

/** One document as a detector sees it. */
export interface Observation {
  /** Seconds since 1970. */
  readonly time: number;
  /** Value of the field of the function: a number, or text for functions of texts; NaN without one. */
  readonly number: number;
  readonly text: string;
  /** Number of documents that it stands for. */
  readonly weight: number;
  /** What the values of several documents add up to, in place of `number`. */
  readonly amounts?: Amounts;
}

/** What the values of a field of several documents add up to: their number, sum, sum of squares, extremes. */
export class Amounts {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
  readonly least: number;
  readonly most: number;

  constructor(count: number, sum: number, squares: number, least: number, most: number) {
    this.count = count;
    this.sum = sum;
    this.squares = squares;
    this.least = least;
    this.most = most;
  }
}

/** A gather as JSON: count, sum, squares, extremes, values, distinct values. */
export type GatherJson = [
  count: number,
  sum: number | DecimalSumJson,
  squares: number,
  extremes: number[] | null,
  values: number[] | null,
  distinct: string[] | null,
];

/** What the documents of a series and a bucket add up to. */
export class Gather {
  count = 0;
  squares = 0;
  readonly #sum = new DecimalSum();
  least = Number.POSITIVE_INFINITY;
  most = Number.NEGATIVE_INFINITY;
  readonly #measure: Measure;
  /** Single values of a median; distinct texts; seconds; places as pairs of degrees. */
  values: number[] | null = null;
  distinct: Set<string> | null = null;

  constructor(measure: Measure) {
    this.#measure = measure;
    if (KEEPS_VALUES.has(measure)) this.values = [];
    if (measure === 'distinctCount' || measure === 'infoContent') this.distinct = new Set();
  }

  get sum(): number {
    return this.#sum.value;
  }

  add({ time, number, text, weight, amounts }: Observation): void {
    this.count += weight;
    if (amounts !== undefined) return this.#addAmounts(amounts);
    if (this.distinct !== null) {
      if (this.distinct.size < DISTINCT_MAX) this.distinct.add(text);
      return;
    }
    if (this.values !== null && this.values.length < KEPT_MAX) this.#keep(time, number, text);
    if (Number.isNaN(number)) return;
    this.#sum.add(number * weight);
    this.squares += number * number * weight;
    if (number < this.least) this.least = number;
    if (number > this.most) this.most = number;
  }

  #addAmounts({ sum, squares, least, most }: Amounts): void {
    this.#sum.add(sum);
    this.squares += squares;
    if (least < this.least) this.least = least;
    if (most > this.most) this.most = most;
  }

  #keep(time: number, number: number, text: string): void {
    const values = this.values!;
    if (this.#measure === 'median') values.push(number);
    else if (this.#measure === 'latLong') {
      const place = placeOf(text);
      if (place !== null) values.push(...place);
    } else values.push(time);
  }

  /** Adds the documents of another one of the same measure. */
  merge(other: Gather): void {
    this.count += other.count;
    this.#sum.merge(other.#sum);
    this.squares += other.squares;
    this.least = Math.min(this.least, other.least);
    this.most = Math.max(this.most, other.most);
    for (const value of other.values ?? []) if (this.values!.length < KEPT_MAX) this.values!.push(value);
    for (const value of other.distinct ?? []) if (this.distinct!.size < DISTINCT_MAX) this.distinct!.add(value);
  }

  toJson(): GatherJson {
    const { count, squares, least, most, values, distinct } = this;
    const extremes = count > 0 && Number.isFinite(least) ? [least, most] : null;
    const kept = distinct === null ? null : [...distinct];
    return [count, this.#sum.toJson(), squares, extremes, values, kept];
  }

  static fromJson(measure: Measure, [count, sum, squares, extremes, values, distinct]: GatherJson): Gather {
    const gather = new Gather(measure);
    [gather.count, gather.squares] = [count, squares];
    gather.#sum.restore(sum);
    if (extremes !== null) [gather.least, gather.most] = [extremes[0]!, extremes[1]!];
    gather.values = values;
    gather.distinct = distinct === null ? null : new Set(distinct);
    return gather;
  }

  /** Value of the bucket as it is reported; NaN for none. */
  value(): number {
    switch (this.#measure) {
      case 'mean':
        return this.sum / this.count;
      case 'sum':
      case 'nonNullSum':
        return this.sum;
      case 'min':
        return this.least;
      case 'max':
        return this.most;
      case 'median':
        return medianOf(this.values!);
      case 'varp':
        return this.count < 2 ? Number.NaN : Math.max(0, this.squares / this.count - (this.sum / this.count) ** 2);
      case 'distinctCount':
        return this.distinct!.size;
      case 'infoContent':
        return contentBits(this.distinct!) / 8;
      default:
        return this.count;
    }
  }
}

const KEEPS_VALUES: ReadonlySet<Measure> = new Set(['median', 'timeOfDay', 'timeOfWeek', 'latLong']);

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Degrees of `lat,lon`; null for anything else. */
export function placeOf(text: string): readonly [lat: number, lon: number] | null {
  const comma = text.indexOf(',');
  if (comma <= 0) return null;
  const lat = Number(text.slice(0, comma));
  const lon = Number(text.slice(comma + 1));
  const isPlace = Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && text.slice(comma + 1).trim() !== '';
  return isPlace ? [lat, lon] : null;
}
