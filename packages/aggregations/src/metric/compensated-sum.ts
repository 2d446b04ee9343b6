/** Kahan sum of a few numbers, for merging partial sums. */
export function compensatedSum(values: Iterable<number>): number {
  let sum = 0;
  let delta = 0;
  for (const value of values) {
    if (!Number.isFinite(value) || !Number.isFinite(sum)) {
      sum += value;
      continue;
    }
    const corrected = value + delta;
    const next = sum + corrected;
    delta = corrected - (next - sum);
    sum = next;
  }
  return sum;
}
