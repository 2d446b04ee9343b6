import { onlyBucket } from '../collect/buckets.kernel.js';

/**
 * Numbers of histogram buckets: index of the stretch between `starts` that a value lies in, -1 for none (NaN, out of
 * [first, last]).
 */

/** Stretches of constant width: index = floor((value - offset) / interval) - base. */
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
 * Stretches of any width, `size` of them from `starts[0]` to `starts[size]`: looks at the last one first, then bisects.
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

/** Counts indexes, those of bucket `b` of the parent (null: all of bucket 0) from `b · width` on; -1 is none. */
export function countIndexes(
  indexes: Int32Array,
  buckets: Int32Array | null,
  width: number,
  count: number,
  counts: Int32Array,
): void {
  const only = onlyBucket(buckets, count);
  if (only >= 0 || !buckets) return countFrom(indexes, only * width, count, counts);
  for (let i = 0; i < count; i++) {
    const index = indexes[i]!;
    if (index >= 0) counts[buckets[i]! * width + index]!++;
  }
}

function countFrom(indexes: Int32Array, base: number, count: number, counts: Int32Array): void {
  for (let i = 0; i < count; i++) {
    const index = indexes[i]!;
    if (index >= 0) counts[base + index]!++;
  }
}

/**
 * Keeps pairs whose index is not -1: documents to `outDocs`, `buckets[i] * width + index` to `outIds`. Returns how
 * many.
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

/** Scores beside the pairs that `keepIndexes` keeps. */
export function keepScores(indexes: Int32Array, scores: Float32Array, count: number, out: Float32Array): void {
  let size = 0;
  for (let i = 0; i < count; i++) if (indexes[i]! >= 0) out[size++] = scores[i]!;
}
