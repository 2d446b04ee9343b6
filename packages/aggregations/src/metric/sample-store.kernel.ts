/** Counts whole numbers by bucket: `counts[bucket * width + value - min]`. NaN is none. */
export function countValues(
  values: Float64Array,
  buckets: Int32Array | null,
  count: number,
  min: number,
  width: number,
  counts: Int32Array,
): void {
  if (!buckets) {
    for (let i = 0; i < count; i++) if (values[i] === values[i]) counts[values[i]! - min]!++;
    return;
  }
  for (let i = 0; i < count; i++) if (values[i] === values[i]) counts[buckets[i]! * width + values[i]! - min]!++;
}
