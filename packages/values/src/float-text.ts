import { formatDouble } from './double-text.js';

/** Bounds of the size of a number from and below which Java prints an exponent. */
const EXPONENT_FROM = 1e7;
const EXPONENT_BELOW = 1e-3;

/** Significant digits of a float: six always survive a round trip through a float; nine distinguish all floats. */
const DIGITS_MIN = 6;
/** Below, floats have fewer bits, and need fewer digits. */
const SMALLEST_NORMAL = 2 ** -126;
const DIGITS_MAX = 9;

const POWERS = Float64Array.from({ length: 12 }, (_, exponent) => 10 ** exponent);

/**
 * Formats a number, rounded to a 32-bit float, as Java's `Float.toString` does: the shortest decimal that identifies
 * the float, such as 1.0, 0.2373417, 2.0E7.
 */
export function formatFloat(value: number): string {
  const float = Math.fround(value);
  if (float === 0 || !Number.isFinite(float)) return formatDouble(float);
  if (Number.isInteger(float) && Math.abs(float) < EXPONENT_FROM) return `${float}.0`;
  return decimalText(shortest(float, isPlain(float) ? roundedFraction : roundedText));
}

function shortest(value: number, rounded: (value: number, digits: number) => number): number {
  const least = Math.abs(value) < SMALLEST_NORMAL ? 2 : DIGITS_MIN;
  for (let digits = least; digits < DIGITS_MAX; digits++) {
    const candidate = rounded(value, digits);
    if (Math.fround(candidate) === value) return candidate;
  }
  return rounded(value, DIGITS_MAX);
}

const roundedText = (value: number, digits: number): number => Number(value.toPrecision(digits));

/**
 * Rounds a float that prints without an exponent to a number of digits, ten times as fast as `toPrecision`. The 24 bits
 * of the float times a power of ten below 10^12 are exact in a double, and so is the quotient of two integers rounded
 * once.
 */
function roundedFraction(value: number, digits: number): number {
  const power = POWERS[Math.max(0, digits - digitsBeforePoint(Math.abs(value)))]!;
  const scaled = Math.abs(value) * power;
  const rounded = Math.round(scaled);
  // Halves go to the even digit.
  const isOddHalf = rounded - scaled === 0.5 && rounded % 2 === 1;
  return (Math.sign(value) * (isOddHalf ? rounded - 1 : rounded)) / power;
}

/** Returns the number of digits before the decimal point of a number below 10^7; 0 or less for numbers below 1. */
function digitsBeforePoint(size: number): number {
  if (size < 1) return size >= 0.1 ? 0 : size >= 0.01 ? -1 : -2;
  let digits = 1;
  while (size >= POWERS[digits]!) digits++;
  return digits;
}

function isPlain(value: number): boolean {
  const size = Math.abs(value);
  return size >= EXPONENT_BELOW && size < EXPONENT_FROM;
}

function decimalText(value: number): string {
  return isPlain(value) && !Number.isInteger(value) ? String(value) : formatDouble(value);
}
