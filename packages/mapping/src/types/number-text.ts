import { errors } from '@shoal/errors';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/;

/** Parses a text like Java's Double.parseDouble, without hexadecimal forms; throws number_format. */
export function parseDouble(text: string): number {
  const trimmed = text.trim();
  if (trimmed === '') throw errors.numberFormat(text === '' ? 'empty String' : `For input string: "${text}"`);
  if (DECIMAL.test(trimmed)) return Number(trimmed.replace(/[fFdD]$/, ''));
  if (/^[+-]?NaN$/.test(trimmed)) return NaN;
  if (/^\+?Infinity$/.test(trimmed)) return Infinity;
  if (trimmed === '-Infinity') return -Infinity;
  throw errors.numberFormat(`For input string: "${text}"`);
}

/** Smallest exact form of a whole number: a number if safe, else a bigint. */
export function exactInteger(value: number | bigint): number | bigint {
  if (typeof value === 'bigint')
    return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
  return Number.isSafeInteger(value) ? value : BigInt(value);
}

/**
 * Splits a decimal text into its exact whole part and whether a fraction other than zero follows. Null if the text is
 * not a number.
 */
export function splitDecimal(
  text: string,
): { readonly whole: bigint; readonly hasFraction: boolean; readonly isNegative: boolean } | null {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
  if (!match || (match[2] === '' && match[3] === '')) return null;
  const exponent = Number(match[4] ?? 0);
  const digits = `${match[2]}${match[3]}`;
  const point = (match[2] ?? '').length + exponent;
  const wholeText = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0');
  const fraction = point <= 0 ? digits : digits.slice(point);
  const isNegative = match[1] === '-';
  const whole = BigInt(wholeText === '' ? '0' : wholeText);
  return { whole: isNegative ? -whole : whole, hasFraction: /[1-9]/.test(fraction), isNegative };
}
