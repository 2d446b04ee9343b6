import type { Counts } from '../collect/counts.js';
import { onlyBucket } from '../collect/buckets.kernel.js';

/**
 * Assigns values to histogram buckets: `out[i]` is the index of the interval that holds `values[i]`, -1 if the value is
 * NaN or the index is outside of [first, last].
 */

/** Assigns intervals of constant width: index = floor((value - offset) / interval) - base. */
export function assignFixed(
  values: Float64Array,
  count: number,
  offset: number,
  interval: number,
  base: number,
  first: number,
  last: number,
  out: Int32Array,
): void {
  if (interval === 1) return assignUnits(values, count, offset, base, first, last, out);
  for (let i = 0; i < count; i++) {
    const index = Math.floor((values[i]! - offset) / interval) - base;
    out[i] = index >= first && index <= last ? index : -1;
  }
}

function assignUnits(
  values: Float64Array,
  count: number,
  offset: number,
  base: number,
  first: number,
  last: number,
  out: Int32Array,
): void {
  for (let i = 0; i < count; i++) {
    const index = Math.floor(values[i]! - offset) - base;
    out[i] = index >= first && index <= last ? index : -1;
  }
}

/**
 * Assigns intervals of any width: interval i is from `starts[i]` to below `starts[i + 1]`. Tries the interval of the
 * previous value first, then bisects.
 */
export function assignBetween(
  values: Float64Array,
  count: number,
  starts: Float64Array,
  size: number,
  first: number,
  last: number,
  out: Int32Array,
): void {
  let index = 0;
  let low = starts[0]!;
  let high = starts[1]!;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (!(value >= low && value < high)) {
      if (!(value >= starts[0]! && value < starts[size]!)) {
        out[i] = -1;
        continue;
      }
      let from = 0;
      let to = size - 1;
      while (from < to) {
        const middle = (from + to + 1) >>> 1;
        if (starts[middle]! <= value) from = middle;
        else to = middle - 1;
      }
      index = from;
      low = starts[index]!;
      high = starts[index + 1]!;
    }
    out[i] = index >= first && index <= last ? index : -1;
  }
}

/** Counts indexes in `counts[bucket · width + index]`, where `buckets` null means bucket 0 for all; skips -1. */
export function countIndexes(
  indexes: Int32Array,
  buckets: Int32Array | null,
  width: number,
  count: number,
  counts: Counts,
): void {
  const only = onlyBucket(buckets, count);
  if (only >= 0 || !buckets) return countFrom(indexes, only * width, count, counts);
  for (let i = 0; i < count; i++) {
    const index = indexes[i]!;
    if (index >= 0) counts[buckets[i]! * width + index]!++;
  }
}

function countFrom(indexes: Int32Array, base: number, count: number, counts: Counts): void {
  for (let i = 0; i < count; i++) {
    const index = indexes[i]!;
    if (index >= 0) counts[base + index]!++;
  }
}

/**
 * Keeps pairs whose index is not -1: writes documents to `outDocs` and `buckets[i] * width + index` to `outIds`.
 * Returns the number kept.
 */
export function keepIndexes(
  docs: Int32Array,
  buckets: Int32Array | null,
  indexes: Int32Array,
  count: number,
  width: number,
  outDocs: Int32Array,
  outIds: Int32Array,
): number {
  let size = 0;
  for (let i = 0; i < count; i++) {
    const index = indexes[i]!;
    outDocs[size] = docs[i]!;
    outIds[size] = buckets ? buckets[i]! * width + index : index;
    size += Number(index >= 0);
  }
  return size;
}

/** Writes the scores of the pairs that `keepIndexes` keeps to `out`. */
export function keepScores(indexes: Int32Array, scores: Float32Array, count: number, out: Float32Array): void {
  let size = 0;
  for (let i = 0; i < count; i++) if (indexes[i]! >= 0) out[size++] = scores[i]!;
}
