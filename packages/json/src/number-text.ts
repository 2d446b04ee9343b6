import { formatDouble, formatFloat } from '@shoal/values';
import { JsonText } from './json-text.js';

/** Sizes of the doubles that JavaScript prints as Java does, unless they are whole numbers. */
const PLAIN_FROM = 1e-3;
const PLAIN_BELOW = 1e7;

/** Returns a 64-bit double as answers print it: the number itself if JavaScript prints it alike, else its text. */
export function doubleNumber(value: number): number | JsonText {
  const size = Math.abs(value);
  const isPlain = size >= PLAIN_FROM && size < PLAIN_BELOW && !Number.isInteger(value);
  return isPlain || !Number.isFinite(value) ? value : new JsonText(formatDouble(value));
}

/** Returns a 32-bit float as answers print it. */
export function floatNumber(value: number): number | JsonText {
  return Number.isFinite(value) ? new JsonText(formatFloat(value)) : value;
}
