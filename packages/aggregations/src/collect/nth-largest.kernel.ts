/**
 * The `n`-th largest (from 1) of the first `size` values, which are reordered: Hoare's quickselect with the middle of
 * three as pivot.
 */
export function nthLargest(values: Float64Array, size: number, n: number): number {
  let low = 0;
  let high = size - 1;
  const wanted = n - 1;
  while (low < high) {
    const a = values[low]!;
    const b = values[(low + high) >>> 1]!;
    const c = values[high]!;
    const pivot = a > b ? (b > c ? b : a > c ? c : a) : a > c ? a : b > c ? c : b;
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! > pivot) i++;
      while (values[j]! < pivot) j--;
      if (i > j) break;
      const value = values[i]!;
      values[i++] = values[j]!;
      values[j--] = value;
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else return values[wanted]!;
  }
  return values[wanted]!;
}
