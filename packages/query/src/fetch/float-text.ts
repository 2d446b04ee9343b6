import { JsonText } from '@shoal/json';
import { formatDouble } from '@shoal/values';

/** From here on Java prints an exponent. */
const EXPONENT_FROM = 1e7;
const EXPONENT_BELOW = 1e-3;

/**
 * The shortest decimal that names a 32-bit float, as Java's `Float.toString` prints it: 1.0, 0.2373417, 2.0E7. Six digits name any
 * float that was written with six; nine name every float.
 */
export function floatText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < EXPONENT_FROM) return `${value}.0`;
  for (let digits = 6; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return decimalText(candidate);
  }
  return decimalText(Number(value.toPrecision(9)));
}

function decimalText(value: number): string {
  const size = Math.abs(value);
  return size >= EXPONENT_BELOW && size < EXPONENT_FROM && !Number.isInteger(value) ? String(value) : formatDouble(value);
}

/** A 64-bit double as answers print it; itself where JavaScript prints the same. */
export function doubleNumber(value: number): number | JsonText {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || (size >= EXPONENT_BELOW && size < EXPONENT_FROM && !Number.isInteger(value))) return value;
  return new JsonText(formatDouble(value));
}

/** A 32-bit float as answers print it. */
export function floatNumber(value: number): number | JsonText {
  return Number.isFinite(value) ? new JsonText(floatText(Math.fround(value))) : value;
}
