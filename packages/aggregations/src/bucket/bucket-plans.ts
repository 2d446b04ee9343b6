import type { Rounding } from '@shoal/values';
import type { BuildSite } from '../aggregation-type.js';
import { hasOneOwner } from './terms-collect.js';
import { type BucketPlan, PLANNED_COUNTERS_MAX } from './dense-buckets.js';
import { assignBetween, assignFixed } from './histogram.kernel.js';
import type { KeyBounds } from './histogram-collect.js';

/** Limit for planned buckets of an aggregation at the top level. */
const PLANNED_MAX = 1 << 16;
/** Limit for planned buckets of an aggregation for each bucket of its parent. */
const PLANNED_BELOW_MAX = 1 << 10;

interface ColumnBounds {
  readonly min: number;
  readonly max: number;
}

/** Smallest and largest value of a field on a shard; null if there is no value, or if a document has several. */
function columnBounds(site: BuildSite, field: string, missing: number): ColumnBounds | null {
  let [min, max] = Number.isNaN(missing) ? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] : [missing, missing];
  for (const view of site.context.searcher.segments) {
    const column = view.reader.numbers(field);
    if (!column || column.valueCount === 0) continue;
    if (!column.isSingleValued) return null;
    min = Math.min(min, column.min);
    max = Math.max(max, column.max);
  }
  return min <= max ? { min, max } : null;
}

const limitFor = (site: BuildSite): number =>
  hasOneOwner(site.node) ? PLANNED_MAX : Math.min(PLANNED_BELOW_MAX, PLANNED_COUNTERS_MAX);

/** Plans buckets of constant width over the values of a field; null if there would be too many. */
export function fixedPlan(
  site: BuildSite,
  field: string,
  missing: number,
  interval: number,
  offset: number,
  bounds: KeyBounds,
): BucketPlan | null {
  const column = columnBounds(site, field, missing);
  if (!column) return null;
  const base = Math.floor((column.min - offset) / interval);
  const size = Math.floor((column.max - offset) / interval) - base + 1;
  if (!(size > 0 && size <= limitFor(site))) return null;
  const key = (index: number): number => (base + index) * interval + offset;
  const { first, last } = allowed(size, key, bounds);
  return {
    size,
    key: (index) => (key(index) === 0 ? 0 : key(index)),
    assign: (values, count, out) => assignFixed(values, count, offset, interval, base, first, last, out),
  };
}

/** Plans the intervals of a date rounding over the values of a field; null if there would be too many. */
export function roundingPlan(
  site: BuildSite,
  field: string,
  missing: number,
  rounding: Rounding,
  bounds: KeyBounds,
): BucketPlan | null {
  const column = columnBounds(site, field, missing);
  if (!column) return null;
  const limit = limitFor(site);
  const starts: number[] = [rounding.floor(column.min)];
  while (starts.at(-1)! <= column.max) {
    if (starts.length > limit) return null;
    starts.push(rounding.next(starts.at(-1)!));
  }
  const all = Float64Array.from(starts);
  const size = all.length - 1;
  const { first, last } = allowed(size, (index) => all[index]!, bounds);
  return {
    size,
    key: (index) => all[index]!,
    assign: (values, count, out) => assignBetween(values, count, all, size, first, last, out),
  };
}

/** Returns the indexes of the first and last bucket whose key is within hard bounds. */
function allowed(
  size: number,
  key: (index: number) => number,
  { min, max }: KeyBounds,
): { first: number; last: number } {
  let [first, last] = [0, size - 1];
  while (first < size && key(first) < min) first++;
  while (last >= 0 && key(last) > max) last--;
  return { first, last };
}
