import { errors } from '@shoal/errors';
import { decimalFormat, formatDouble } from '@shoal/values';
import type { ValueFormat } from '../field-type.js';
import { exactInteger, parseDouble, splitDecimal } from './number-text.js';

function parseWhole(value: unknown): number | bigint {
  if (typeof value === 'number') return Number.isInteger(value) ? exactInteger(value) : value;
  if (typeof value === 'bigint') return exactInteger(value);
  const parts = splitDecimal(String(value));
  if (!parts) throw errors.numberFormat(`For input string: "${String(value)}"`);
  return parts.hasFraction ? Number(value) : exactInteger(parts.whole);
}

function patternFormat(pattern: string, parse: ValueFormat['parse']): ValueFormat {
  const print = decimalFormat(pattern);
  const toText = (value: number | bigint | string): string => print(Number(value));
  return { toJson: toText, toText, parse };
}

/** Format of whole numbers: exact in JSON; with a DecimalFormat pattern, texts. */
export function wholeFormat(pattern: string | null): ValueFormat {
  if (pattern !== null) return patternFormat(pattern, parseWhole);
  return { toJson: (value) => value, toText: String, parse: parseWhole };
}

/** Format of decimals; their text is Java's. */
export function decimalNumberFormat(pattern: string | null): ValueFormat {
  const parse = (value: unknown): number => (typeof value === 'number' ? value : parseDouble(String(value)));
  if (pattern !== null) return patternFormat(pattern, parse);
  return { toJson: (value) => value, toText: (value) => formatDouble(Number(value)), parse };
}
