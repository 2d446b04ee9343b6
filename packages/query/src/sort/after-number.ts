import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { sortsByNanos } from './sort-format.js';
import type { FieldSort } from './sort-spec.js';

/** Parses a value of `search_after` into a value of a column of numbers: the reverse of how sort values print. */
export type AfterParser = (value: unknown) => number | bigint;

/** Nanoseconds of a millisecond. */
const NANOS_PER_MILLI = 1_000_000;
/** The sort value of documents without a date, whatever its resolution. */
const LONG_MAX = 9223372036854775807n;

/** Reads numbers as they are; whole ones without their fraction. Throws number_format_exception for other texts. */
function plainNumber(value: unknown, isFloating: boolean): number | bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return isFloating ? value : Math.trunc(value);
  const text = String(value);
  if (text.trim() === '') throw errors.numberFormat('empty String');
  const number = Number(text);
  if (Number.isNaN(number)) throw errors.numberFormat(`For input string: "${text}"`);
  if (!Number.isSafeInteger(number) && /^[+-]?\d+$/.test(text)) return BigInt(text);
  return isFloating ? number : Math.floor(number);
}

/** The float that a number stands for: floats are printed with as few digits as tell them apart. */
const floatNumber = (value: unknown): number => Math.fround(Number(plainNumber(value, true)));

function booleanNumber(value: unknown): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return plainNumber(value, false);
  const text = String(value);
  if (text === 'true') return 1;
  if (text === 'false') return 0;
  throw errors.illegalArgument(`Cannot parse boolean [${text}], expected either [true] or [false]`);
}

function unsignedNumber(value: unknown, type: FieldType): number | bigint {
  try {
    return type.format(null, null).parse(value) as number | bigint;
  } catch {
    throw errors.numberFormat(`For input string: "${String(value)}"`);
  }
}

/** Milliseconds of a sort value in nanoseconds. */
function millisOf(nanos: number | bigint): number | bigint {
  if (BigInt(nanos) >= LONG_MAX) return LONG_MAX;
  return Math.floor(Number(nanos) / NANOS_PER_MILLI);
}

function dateParser(spec: FieldSort, type: FieldType): AfterParser {
  const format = type.format(spec.format, null);
  const { nanos } = format;
  if (nanos !== undefined && sortsByNanos(spec, type))
    return (value) =>
      typeof value === 'number' || typeof value === 'bigint' ? plainNumber(value, false) : nanos.parse(String(value));
  return (value) => {
    if (typeof value !== 'number' && typeof value !== 'bigint') return format.parse(String(value)) as number;
    const whole = plainNumber(value, false);
    return spec.numericType === 'date_nanos' ? millisOf(whole) : whole;
  };
}

/**
 * Returns the parser for a field of numbers (`type` null for `_seq_no` and its like): dates by the `format` of the sort
 * or of the field, other values as numbers.
 */
export function afterParser(spec: FieldSort, type: FieldType | null, isFloating: boolean): AfterParser {
  if (!isFloating && type?.valueKind === 'date') return dateParser(spec, type);
  if (!isFloating && type?.valueKind === 'unsigned') return (value) => unsignedNumber(value, type);
  if (!isFloating && type?.valueKind === 'boolean') return booleanNumber;
  if (isFloating && spec.numericType === null && (type?.capabilities.floatBits ?? 64) < 64) return floatNumber;
  return (value) => plainNumber(value, isFloating);
}
