import { errors } from '@shoal/errors';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/;

const HEXADECIMAL = /^([+-]?)0[xX](?=\.?[\da-fA-F])([\da-fA-F]*)\.?([\da-fA-F]*)[pP]([+-]?\d+)[fFdD]?$/;
/** What Java's String.trim removes. */
// oxlint-disable-next-line no-control-regex -- control characters are what is removed
const BLANKS = /^[\0-\x20]+|[\0-\x20]+$/g;

/** Parses a text like Java's Double.parseDouble; throws number_format. */
export function parseDouble(text: string): number {
  const trimmed = text.replace(BLANKS, '');
  if (trimmed === '') throw notNumeric('');
  if (DECIMAL.test(trimmed)) return Number(trimmed.replace(/[fFdD]$/, ''));
  const [whole, sign, digits, fraction, exponent] = HEXADECIMAL.exec(trimmed) ?? [];
  if (whole !== undefined) {
    const value = Number.parseInt(`${digits}${fraction}`, 16) * 2 ** (Number(exponent) - 4 * fraction!.length);
    return sign === '-' ? -value : value;
  }
  if (/^[+-]?NaN$/.test(trimmed)) return NaN;
  if (/^\+?Infinity$/.test(trimmed)) return Infinity;
  if (trimmed === '-Infinity') return -Infinity;
  throw notNumeric(text);
}

/** Returns the error of Java's Double.parseDouble for a text that is no number: a second point has words of its own. */
export function notNumeric(text: string): Error {
  if (text === '') return errors.numberFormat('empty String');
  if (/^\s*[+-]?\d*\.\d*\./.test(text)) return errors.numberFormat('multiple points');
  return errors.numberFormat(`For input string: "${text}"`);
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
