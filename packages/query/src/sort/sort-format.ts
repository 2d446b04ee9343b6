import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { dateFormat } from '@shoal/values';
import { NANOS_PER_MILLI } from '../nanoseconds.js';
import type { FieldSort } from './sort-spec.js';

/** Prints the sort values of dates. */
export interface DateText {
  toText(value: number | bigint): string;
}

const DATE_TYPES = ['date', 'date_nanos'];

/** Whether sort values count nanoseconds, from 1970 to 2262. `typeName` is that of the field. */
export function countsNanos(spec: FieldSort, typeName: string | null): boolean {
  const isNanos = typeName === 'date_nanos';
  return spec.numericType === 'date_nanos' || (isNanos && (spec.numericType === null || spec.numericType === 'long'));
}

/**
 * Throws illegal_argument_exception if a sort has a `format`, or counts nanoseconds, and its field is not of dates.
 * `type` null: `_seq_no`.
 */
export function checkSortFormat(spec: FieldSort, type: FieldType | null): void {
  if (type?.valueKind === 'date') return;
  if (spec.format !== null) refuseFormat(spec, type);
  if (spec.numericType === 'date_nanos')
    throw errors.illegalArgument(
      'trying to convert a known date time formatter to a nanosecond one, wrong field used?',
    );
}

function refuseFormat(spec: FieldSort, type: FieldType | null): never {
  const isDecimal = type?.valueKind === 'long' || type?.valueKind === 'double';
  if (isDecimal) throw errors.illegalArgument('require a date_time formatter; got [decimal]');
  if (type?.valueKind === 'unsigned')
    throw errors.illegalArgument('require a date_time formatter; got [unsigned_long_shifted]');
  const name = type?.name ?? spec.field;
  throw errors.illegalArgument(`Field [${name}] of type [${type?.typeName ?? name}] does not support custom formats`);
}

/** Whether the keys are the nanoseconds of a `date_nanos` field: not where its sort asks for milliseconds. */
export function sortsByNanos(
  { numericType }: FieldSort,
  type: FieldType | null,
): type is FieldType & { readonly nanosField: string } {
  return type?.nanosField !== undefined && numericType !== 'date' && numericType !== 'double';
}

/** Returns how the dates of a sort print by its `format`; null without one, and for values that are no dates. */
export function dateTextOf(spec: FieldSort, type: FieldType | null): DateText | null {
  const typeName = type?.typeName ?? spec.unmappedType ?? '';
  if (spec.format === null || spec.numericType === 'double' || !DATE_TYPES.includes(typeName)) return null;
  const format = dateFormat(spec.format);
  if (!countsNanos(spec, typeName)) return { toText: (value) => format.print(value) };
  return {
    toText(value) {
      const nanos = BigInt(value);
      return format.print(nanos / NANOS_PER_MILLI, undefined, Number(nanos % NANOS_PER_MILLI));
    },
  };
}
