/*
 * Inner loops of comparing vectors. Each has four sums: V8 does not vectorise, but with four independent chains the
 * additions overlap. Sums are made in double, so that their order does not show in a score.
 */

/** Dot product of a[aAt …] and b[bAt …] over `dims` elements. */
export function dotProduct(
  a: Float32Array | Int8Array,
  aAt: number,
  b: Float32Array | Int8Array,
  bAt: number,
  dims: number,
): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  const whole = dims & ~3;
  let i = 0;
  for (; i < whole; i += 4) {
    sum0 += a[aAt + i]! * b[bAt + i]!;
    sum1 += a[aAt + i + 1]! * b[bAt + i + 1]!;
    sum2 += a[aAt + i + 2]! * b[bAt + i + 2]!;
    sum3 += a[aAt + i + 3]! * b[bAt + i + 3]!;
  }
  for (; i < dims; i++) sum0 += a[aAt + i]! * b[bAt + i]!;
  return sum0 + sum1 + (sum2 + sum3);
}

/** Square of the Euclidean distance of a[aAt …] and b[bAt …] over `dims` elements. */
export function squareDistance(
  a: Float32Array | Int8Array,
  aAt: number,
  b: Float32Array | Int8Array,
  bAt: number,
  dims: number,
): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  const whole = dims & ~3;
  let i = 0;
  for (; i < whole; i += 4) {
    const d0 = a[aAt + i]! - b[bAt + i]!;
    const d1 = a[aAt + i + 1]! - b[bAt + i + 1]!;
    const d2 = a[aAt + i + 2]! - b[bAt + i + 2]!;
    const d3 = a[aAt + i + 3]! - b[bAt + i + 3]!;
    sum0 += d0 * d0;
    sum1 += d1 * d1;
    sum2 += d2 * d2;
    sum3 += d3 * d3;
  }
  for (; i < dims; i++) {
    const d = a[aAt + i]! - b[bAt + i]!;
    sum0 += d * d;
  }
  return sum0 + sum1 + (sum2 + sum3);
}
