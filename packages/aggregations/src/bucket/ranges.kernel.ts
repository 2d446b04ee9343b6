/** Counts values into the ranges that hold them: bucket = bucket of the parent (0 without) · ranges + range. NaN is in none. */
export function countRanges(values: Float64Array, buckets: Int32Array | null, count: number, froms: Float64Array, tos: Float64Array, counts: Int32Array): void {
  const width = froms.length;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    const at = buckets ? buckets[i]! * width : 0;
    for (let r = 0; r < width; r++) if (value >= froms[r]! && value < tos[r]!) counts[at + r]!++;
  }
}
