/**
 * The shortest decimal that names a 32-bit float, as Java's `Float.toString` prints it: 1.0, 0.2373417. Six digits name any
 * float that was written with six; nine name every float.
 */
export function floatText(value: number): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e7 ? `${value}.0` : String(value);
  for (let digits = 6; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return String(candidate);
  }
  return String(Number(value.toPrecision(9)));
}
