import { formatDouble } from '@shoal/values';

interface Pattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly scale: number;
  readonly integerMin: number;
  readonly fractionMin: number;
  readonly fractionMax: number;
  readonly groupSize: number;
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
    integerMin: whole.replace(/[^0]/g, '').length,
    fractionMin: fraction.replace(/[^0]/g, '').length,
    fractionMax: fraction.replace(/[^0#]/g, '').length,
    groupSize: comma < 0 ? 0 : whole.length - comma - 1,
  };
}

/** Decimal text with `places` digits after the point, rounded half to even, from the shortest text of the number. */
function roundText(value: number, places: number): string {
  const fixed = value.toFixed(places);
  const scaled = value * 10 ** places;
  const isHalf = Math.abs(scaled % 1) === 0.5;
  if (!isHalf || value > 1e15) return fixed;
  const even = 2 * Math.round(scaled / 2);
  return (even / 10 ** places).toFixed(places);
}

function group(whole: string, size: number): string {
  if (size === 0) return whole;
  return whole.replace(new RegExp(`\\B(?=(?:\\d{${size}})+$)`, 'g'), ',');
}

function formatWith(pattern: Pattern, value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '\u221e' : '-\u221e';
  const digits = roundText(Math.abs(value * pattern.scale), pattern.fractionMax);
  const [whole = '0', fraction = ''] = digits.split('.');
  let cut = fraction.length;
  while (cut > pattern.fractionMin && fraction[cut - 1] === '0') cut--;
  const kept = fraction.slice(0, cut);
  const shownWhole =
    whole === '0' && pattern.integerMin === 0 && kept !== '' ? '' : whole.padStart(pattern.integerMin, '0');
  const isNegative = value < 0 && /[1-9]/.test(`${whole}${kept}`);
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
