import type { Query } from '../../kql/kql-query.js';

const NUMBERS: ReadonlySet<string> = new Set([
  ...['long', 'integer', 'short', 'byte', 'unsigned_long'],
  ...['double', 'float', 'half_float', 'scaled_float'],
]);

/** Whether values of a type are spread over numbers. */
export const isNumberType = (type: string): boolean => NUMBERS.has(type);

/** Ranges that values are counted in, at most. */
const RANGES_MAX = 12;

/** Asks for the bounds and the average of a field among the documents of a query. */
export const boundsBody = (query: Query, field: string): object => ({
  size: 0,
  track_total_hits: false,
  query,
  aggs: { values: { stats: { field } } },
});

/** Lowest, highest and average value. */
export interface Bounds {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly avg: number;
}

/** Bounds in an answer; null if no document has a value. */
export function readBounds(json: unknown): Bounds | null {
  const { count, min, max, avg } = (json as { aggregations: { values: Record<string, number | null> } }).aggregations
    .values;
  return count && min !== null && max !== null && avg !== null ? ({ count, min, max, avg } as Bounds) : null;
}

/** Width of the ranges: 1, 2 or 5 times a power of ten, so that there are few. */
export function rangeWidth({ min, max }: Pick<Bounds, 'min' | 'max'>): number {
  const least = (max - min) / (RANGES_MAX - 1);
  if (!(least > 0) || !Number.isFinite(least)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((times) => times * power >= least) ?? 10);
}

/** Asks how many values are in each range. */
export const distributionBody = (query: Query, field: string, width: number): object => ({
  size: 0,
  track_total_hits: false,
  query,
  aggs: { ranges: { histogram: { field, interval: width, min_doc_count: 0 } } },
});

/** A range and how many documents have a value in it. */
export interface ValueRange {
  readonly from: number;
  readonly count: number;
}

export const readDistribution = (json: unknown): readonly ValueRange[] =>
  (
    json as { aggregations: { ranges: { buckets: readonly { readonly key: number; readonly doc_count: number }[] } } }
  ).aggregations.ranges.buckets.map(({ key, doc_count: count }) => ({ from: key, count }));

/** A bound as text, without the last digits that sums of fractions have. */
export const boundText = (value: number): string => String(Number(value.toPrecision(12)));
