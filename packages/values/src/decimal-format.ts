import { formatDouble } from './double-text.js';

interface Pattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly scale: number;
  readonly integerMin: number;
  readonly fractionMin: number;
  readonly fractionMax: number;
  readonly groupSize: number;
}

/** A pattern without any `0` has one before the point, or behind it where nothing is before. */
function leastDigits(whole: string, fraction: string): Pick<Pattern, 'integerMin' | 'fractionMin'> {
  const integerMin = whole.replace(/[^0]/g, '').length;
  const fractionMin = fraction.replace(/[^0]/g, '').length;
  if (integerMin + fractionMin > 0 || fraction === '') return { integerMin, fractionMin };
  return whole === '' ? { integerMin: 0, fractionMin: 1 } : { integerMin: 1, fractionMin: 0 };
}

function parsePattern(text: string): Pattern {
  const [positive = ''] = text.split(';');
  const match = /^([^#0.,]*)([#0,.]*)(.*)$/.exec(positive);
  const [, prefix = '', digits = '', suffix = ''] = match ?? [];
  const [whole = '', fraction = ''] = digits.split('.');
  const comma = whole.lastIndexOf(',');
  const percent = `${prefix}${suffix}`.includes('%') ? 100 : `${prefix}${suffix}`.includes('\u2030') ? 1000 : 1;
  return {
    prefix: prefix.replaceAll("'", ''),
    suffix: suffix.replaceAll("'", ''),
    scale: percent,
    ...leastDigits(whole, fraction),
    fractionMax: fraction.replace(/[^0#]/g, '').length,
    groupSize: comma < 0 ? 0 : whole.length - comma - 1,
  };
}

/** The shortest digits of a number that is not negative, without an exponent. */
function plainText(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (digits.length <= point) return digits.padEnd(point, '0');
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

const PLACES_MAX = 100;
const HALF = /^50*$/;

/**
 * Decimal text with `places` digits after the point: the shortest digits of the number, as long as there are no more
 * of them, else the number itself rounded half to even.
 */
function roundText(value: number, places: number): string {
  const text = plainText(value);
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length <= places) return places === 0 ? whole : `${whole}.${fraction.padEnd(places, '0')}`;
  const exact = value.toFixed(PLACES_MAX);
  const end = exact.length - PLACES_MAX + places;
  const kept = places === 0 ? exact.slice(0, end - 1) : exact.slice(0, end);
  const isEven = Number(kept.at(-1)) % 2 === 0;
  return isEven && HALF.test(exact.slice(end)) ? kept : value.toFixed(places);
}

function group(whole: string, size: number): string {
  if (size === 0) return whole;
  return whole.replace(new RegExp(`\\B(?=(?:\\d{${size}})+$)`, 'g'), ',');
}

function formatWith(pattern: Pattern, value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '\u221e' : '-\u221e';
  const digits = roundText(Math.abs(value * pattern.scale), Math.min(pattern.fractionMax, PLACES_MAX));
  const [whole = '0', fraction = ''] = digits.split('.');
  let cut = fraction.length;
  while (cut > pattern.fractionMin && fraction[cut - 1] === '0') cut--;
  const kept = fraction.slice(0, cut);
  const shownWhole =
    whole === '0' && pattern.integerMin === 0 && kept !== '' ? '' : whole.padStart(pattern.integerMin, '0');
  const isNegative = value < 0 || Object.is(value, -0);
  const body = group(shownWhole, pattern.groupSize) + (kept === '' ? '' : `.${kept}`);
  return `${isNegative ? '-' : ''}${pattern.prefix}${body}${pattern.suffix}`;
}

/**
 * Formats numbers by a DecimalFormat pattern of Java in the root locale: `0.00`, `#,##0.#`, `0%`, with literals around
 * it.
 */
export function decimalFormat(pattern: string): (value: number) => string {
  if (/[#0][Ee]0/.test(pattern)) return formatDouble;
  const parsed = parsePattern(pattern);
  return (value) => formatWith(parsed, value);
}
