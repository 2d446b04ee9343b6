import { onlyBucket } from '../collect/buckets.kernel.js';

/**
 * Accumulation of numbers by bucket. `values[i]` belongs to `buckets[i]`, or all to bucket 0 when `buckets` is null;
 * NaN is no value. Sums are compensated (Kahan), as Elasticsearch's CompensatedSum: `deltas` holds the lost low parts.
 */

function sumOne(
  values: Float64Array,
  bucket: number,
  count: number,
  sums: Float64Array,
  deltas: Float64Array,
  counts: Float64Array,
): void {
  let sum = sums[bucket]!;
  let delta = deltas[bucket]!;
  let seen = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value !== value) continue;
    const corrected = value + delta;
    const next = sum + corrected;
    delta = corrected - (next - sum);
    sum = next;
    seen++;
  }
  sums[bucket] = sum;
  deltas[bucket] = delta;
  counts[bucket]! += seen;
}

/** Adds values to compensated sums and to counts, by bucket. */
export function addSums(
  values: Float64Array,
  buckets: Int32Array | null,
  count: number,
  sums: Float64Array,
  deltas: Float64Array,
  counts: Float64Array,
): void {
  const only = onlyBucket(buckets, count);
  if (only >= 0) return sumOne(values, only, count, sums, deltas, counts);
  if (!buckets) return;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value !== value) continue;
    const bucket = buckets[i]!;
    const sum = sums[bucket]!;
    const corrected = value + deltas[bucket]!;
    const next = sum + corrected;
    deltas[bucket] = corrected - (next - sum);
    sums[bucket] = next;
    counts[bucket]!++;
  }
}

/** Adds the squares of values to compensated sums, by bucket. */
export function addSquares(
  values: Float64Array,
  buckets: Int32Array | null,
  count: number,
  sums: Float64Array,
  deltas: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value !== value) continue;
    const bucket = buckets ? buckets[i]! : 0;
    const sum = sums[bucket]!;
    const corrected = value * value + deltas[bucket]!;
    const next = sum + corrected;
    deltas[bucket] = corrected - (next - sum);
    sums[bucket] = next;
  }
}

/** Lowers the minimum of each bucket. */
export function addMinima(values: Float64Array, buckets: Int32Array | null, count: number, minima: Float64Array): void {
  if (!buckets) {
    let min = minima[0]!;
    for (let i = 0; i < count; i++) if (values[i]! < min) min = values[i]!;
    minima[0] = min;
    return;
  }
  for (let i = 0; i < count; i++) if (values[i]! < minima[buckets[i]!]!) minima[buckets[i]!] = values[i]!;
}

/** Raises the maximum of each bucket. */
export function addMaxima(values: Float64Array, buckets: Int32Array | null, count: number, maxima: Float64Array): void {
  if (!buckets) {
    let max = maxima[0]!;
    for (let i = 0; i < count; i++) if (values[i]! > max) max = values[i]!;
    maxima[0] = max;
    return;
  }
  for (let i = 0; i < count; i++) if (values[i]! > maxima[buckets[i]!]!) maxima[buckets[i]!] = values[i]!;
}

/**
 * Adds a batch to the sum, count, minimum and maximum of one bucket. Only for whole numbers whose sums stay below 2^53,
 * which need no compensation.
 */
export function foldWhole(
  values: Float64Array,
  bucket: number,
  count: number,
  sums: Float64Array,
  counts: Float64Array,
  minima: Float64Array,
  maxima: Float64Array,
): void {
  let sum = sums[bucket]!;
  let min = minima[bucket]!;
  let max = maxima[bucket]!;
  let seen = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value !== value) continue;
    sum += value;
    if (value < min) min = value;
    if (value > max) max = value;
    seen++;
  }
  sums[bucket] = sum;
  counts[bucket]! += seen;
  minima[bucket] = min;
  maxima[bucket] = max;
}

/**
 * Adds the squares of a batch to the sum of squares of bucket 0. Only for whole numbers whose sums of squares stay
 * below 2^53.
 */
export function foldWholeSquares(values: Float64Array, count: number, squares: Float64Array): void {
  let sum = squares[0]!;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value === value) sum += value * value;
  }
  squares[0] = sum;
}

function sumOneWhole(
  values: Float64Array,
  bucket: number,
  count: number,
  sums: Float64Array,
  counts: Float64Array,
): void {
  let sum = 0;
  let seen = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value !== value) continue;
    sum += value;
    seen++;
  }
  sums[bucket]! += sum;
  counts[bucket]! += seen;
}

/** Adds sums and counts by bucket. Only for whole numbers whose sums stay below 2^53. */
export function addWholeSums(
  values: Float64Array,
  buckets: Int32Array | null,
  count: number,
  sums: Float64Array,
  counts: Float64Array,
): void {
  const only = onlyBucket(buckets, count);
  if (only >= 0) return sumOneWhole(values, only, count, sums, counts);
  if (!buckets) return;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value !== value) continue;
    const bucket = buckets[i]!;
    sums[bucket]! += value;
    counts[bucket]!++;
  }
}

/** Repeats each bucket for the values of its document: `out[j]` is the bucket of the j-th value. */
export function spreadBuckets(starts: Int32Array, buckets: Int32Array, count: number, out: Int32Array): void {
  for (let i = 0; i < count; i++) {
    const end = starts[i + 1]!;
    for (let j = starts[i]!; j < end; j++) out[j] = buckets[i]!;
  }
}
