/**
 * Writes the `k` nearest of some points to one of them, nearest first; the point itself is left out. `points`: `width`
 * numbers for each row. `near` and `squares` get row numbers and squared distances from `at` on. Returns how many there
 * are, fewer than `k` if the sample is small.
 */
export function nearestTo(
  points: Float64Array,
  width: number,
  row: number,
  sample: Int32Array,
  k: number,
  near: Int32Array,
  squares: Float64Array,
  at: number,
): number {
  const own = row * width;
  let count = 0;
  let limit = Infinity;
  for (let s = 0; s < sample.length; s++) {
    const other = sample[s]!;
    if (other === row) continue;
    const base = other * width;
    let sum = 0;
    for (let c = 0; c < width && sum < limit; c++) {
      const difference = points[own + c]! - points[base + c]!;
      sum += difference * difference;
    }
    if (sum >= limit) continue;
    let place = at + (count < k ? count++ : k - 1);
    for (; place > at && squares[place - 1]! > sum; place--) {
      squares[place] = squares[place - 1]!;
      near[place] = near[place - 1]!;
    }
    squares[place] = sum;
    near[place] = other;
    if (count === k) limit = squares[at + k - 1]!;
  }
  return count;
}
