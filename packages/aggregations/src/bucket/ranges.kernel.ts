import type { Counts } from '../collect/counts.js';

/**
 * Counts values in each range that holds them: `counts[bucket · ranges + range]`, where `buckets` null means bucket 0.
 * NaN is in no range.
 */
export function countRanges(
  values: Float64Array,
  buckets: Int32Array | null,
  count: number,
  froms: Float64Array,
  tos: Float64Array,
  counts: Counts,
): void {
  const width = froms.length;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    const at = buckets ? buckets[i]! * width : 0;
    for (let r = 0; r < width; r++) if (value >= froms[r]! && value < tos[r]!) counts[at + r]!++;
  }
}

/** Whether no number is in two of these ranges, which are sorted by `from`, then `to`. */
export function areDisjoint(froms: Float64Array, tos: Float64Array): boolean {
  for (let r = 1; r < froms.length; r++) if (!(tos[r - 1]! <= froms[r]!)) return false;
  return true;
}

/** Counts values in ranges that do not overlap: only the last range that begins at or below a value can hold it. */
export function countDisjoint(
  values: Float64Array,
  buckets: Int32Array | null,
  count: number,
  froms: Float64Array,
  tos: Float64Array,
  counts: Counts,
): void {
  const width = froms.length;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    let r = 0;
    for (let k = 1; k < width; k++) r += Number(value >= froms[k]!);
    counts[(buckets ? buckets[i]! * width : 0) + r]! += Number(value >= froms[r]!) & Number(value < tos[r]!);
  }
}

/** Writes pairs (document, bucket) for ranges that do not overlap. Returns the number of pairs. */
export function keepDisjoint(
  docs: Int32Array,
  values: Float64Array,
  buckets: Int32Array | null,
  count: number,
  froms: Float64Array,
  tos: Float64Array,
  outDocs: Int32Array,
  outIds: Int32Array,
): number {
  const width = froms.length;
  let size = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    let r = 0;
    for (let k = 1; k < width; k++) r += Number(value >= froms[k]!);
    outDocs[size] = docs[i]!;
    outIds[size] = (buckets ? buckets[i]! * width : 0) + r;
    size += Number(value >= froms[r]!) & Number(value < tos[r]!);
  }
  return size;
}

/**
 * Writes a pair (document, bucket) for each range that holds the value of the document, numbered as by `countRanges`.
 * Returns the number of pairs.
 */
export function keepRanges(
  docs: Int32Array,
  values: Float64Array,
  buckets: Int32Array | null,
  count: number,
  froms: Float64Array,
  tos: Float64Array,
  outDocs: Int32Array,
  outIds: Int32Array,
): number {
  const width = froms.length;
  let size = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    const at = buckets ? buckets[i]! * width : 0;
    for (let r = 0; r < width; r++) {
      outDocs[size] = docs[i]!;
      outIds[size] = at + r;
      size += Number(value >= froms[r]!) & Number(value < tos[r]!);
    }
  }
  return size;
}
