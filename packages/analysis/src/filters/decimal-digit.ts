import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

const DIGITS = /[^\u0000-\u007f]/;

/**
 * ASCII digit of a decimal digit of any script. Unicode has the ten digits of a script in a row, and several
 * mathematical alphabets one after the other: the value is the distance to the first digit of the row, modulo ten.
 */
function digitValue(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  let first = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}

/** Replaces decimal digits of all scripts by `0` to `9`. */
export function foldDigits(text: string): string {
  return DIGITS.test(text) ? text.replace(/\p{Nd}/gu, (char) => (char < '\u0080' ? char : digitValue(char))) : text;
}

/** `decimal_digit`: see `foldDigits`. */
export const decimalDigit: FilterFactory = {
  normalizes: true,
  create: (name) => termFilter(name, foldDigits, { normalizes: true }),
};
