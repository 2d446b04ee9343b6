import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

const DIGITS = /[^\u0000-\u007f]/;

/** Runs of ten digits start where the character before is no digit: the value is the distance to that start. */
function digitValue(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  for (let zero = code; zero > code - 10; zero--) {
    if (!/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) return String((code - zero) % 10);
  }
  return String(code % 10);
}

/** Decimal digits of all scripts as `0` to `9`. */
export function foldDigits(text: string): string {
  return DIGITS.test(text) ? text.replace(/\p{Nd}/gu, (char) => (char < '\u0080' ? char : digitValue(char))) : text;
}

/** `decimal_digit`. */
export const decimalDigit: FilterFactory = {
  normalizes: true,
  create: (name) => termFilter(name, foldDigits, { normalizes: true }),
};
