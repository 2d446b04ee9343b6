import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { dateFormat } from '@shoal/values';
import type { FieldSort } from './sort-spec.js';

const NANOS_PER_MILLI = 1_000_000n;
/** The sort value of documents without a date: the greatest of 64 bits. As nanoseconds it is a moment in 2262. */
const LONG_MAX = 9223372036854775807n;

/** Prints the sort values of dates. */
export interface DateText {
  toText(value: number | bigint): string;
}

const DATE_TYPES = ['date', 'date_nanos'];

/** Whether sort values count nanoseconds, from 1970 to 2262. `typeName` is that of the field. */
export function countsNanos(spec: FieldSort, typeName: string | null): boolean {
  return spec.numericType === 'date_nanos' || (spec.numericType === null && typeName === 'date_nanos');
}

/** Throws illegal_argument_exception if a sort has a `format` and its field is not of dates. `type` null: `_seq_no`. */
export function checkSortFormat(spec: FieldSort, type: FieldType | null): void {
  if (spec.format === null || type?.valueKind === 'date') return;
  const isDecimal = type?.valueKind === 'long' || type?.valueKind === 'double';
  if (isDecimal) throw errors.illegalArgument('require a date_time formatter; got [decimal]');
  if (type?.valueKind === 'unsigned')
    throw errors.illegalArgument('require a date_time formatter; got [unsigned_long_shifted]');
  const name = type?.name ?? spec.field;
  throw errors.illegalArgument(`Field [${name}] of type [${type?.typeName ?? name}] does not support custom formats`);
}

/** Milliseconds of a sort value in nanoseconds: of date_nanos fields, only those of documents without a value. */
function millisOf(value: number | bigint, valuesAreNanos: boolean): number | bigint {
  const isExtreme = typeof value === 'bigint' && value >= LONG_MAX;
  return valuesAreNanos || isExtreme ? BigInt(value) / NANOS_PER_MILLI : value;
}

/** Returns how the dates of a sort print by its `format`; null without one, and for values that are no dates. */
export function dateTextOf(spec: FieldSort, type: FieldType | null): DateText | null {
  const typeName = type?.typeName ?? spec.unmappedType ?? '';
  if (spec.format === null || spec.numericType === 'double' || !DATE_TYPES.includes(typeName)) return null;
  const format = dateFormat(spec.format);
  if (!countsNanos(spec, typeName)) return { toText: (value) => format.print(value) };
  const valuesAreNanos = spec.numericType === 'date_nanos';
  return { toText: (value) => format.print(millisOf(value, valuesAreNanos)) };
}
