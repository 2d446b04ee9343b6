import type { Value } from '@shoal/codec';
import type { FieldType } from '@shoal/mapping';
import { dateFormat, formatDouble, formatIp, timeZone } from '@shoal/values';
import { decimalFormat } from './decimal-format.js';

/** How values are shown, in a form that travels with partial results: the coordinator has no mapping. */
export type FormatSpec =
  | { readonly k: 'raw' }
  | { readonly k: 'date'; readonly p: string; readonly z: string }
  | { readonly k: 'boolean' }
  /** Whole numbers up to 2^64 - 1: keys are exact, numbers that are worked out from them have a text beside them. */
  | { readonly k: 'unsigned' }
  /** Numbers that are doubles: keys print as 4.0. */
  | { readonly k: 'double' }
  | { readonly k: 'ip' }
  | { readonly k: 'decimal'; readonly p: string };

/** A value's text, and whether answers show it beside the value (`key_as_string`). */
export interface Formatter {
  readonly spec: FormatSpec;
  /** Text for keys of keyed answers and paths. */
  text(value: number): string;
  /** Text for `*_as_string`, null where there is none. */
  shown(value: number): string | null;
}

export const RAW_FORMAT: FormatSpec = { k: 'raw' };
const DEFAULT_DATE_PATTERN = 'strict_date_optional_time||epoch_millis';

/** The pattern of a date field's mapping. */
export function datePattern(field: FieldType | null): string {
  const pattern = field?.toJson(true)['format'];
  return typeof pattern === 'string'
    ? pattern
    : field?.typeName === 'date_nanos'
      ? 'strict_date_optional_time_nanos||epoch_millis'
      : DEFAULT_DATE_PATTERN;
}

/** How values of a field are shown when the request gives `format` and `time_zone` or null for each. */
export function formatOf(field: FieldType | null, format: string | null, zone: string | null): FormatSpec {
  const kind = field?.valueKind;
  if (kind === 'date') return { k: 'date', p: format ?? datePattern(field), z: zone ?? 'UTC' };
  if (kind === 'boolean') return { k: 'boolean' };
  if (kind === 'ip') return { k: 'ip' };
  if (kind === 'unsigned') return { k: 'unsigned' };
  return format === null ? RAW_FORMAT : { k: 'decimal', p: format };
}

/** The format of keys of a field: those of decimals say so. */
export function keyFormat(field: FieldType | null, spec: FormatSpec): FormatSpec {
  return spec.k === 'raw' && field?.valueKind === 'double' ? { k: 'double' } : spec;
}

const rawFormatter: Formatter = { spec: RAW_FORMAT, text: formatDouble, shown: () => null };

function shownAs(spec: FormatSpec, text: (value: number) => string): Formatter {
  return { spec, text, shown: text };
}

/** The functions of a format. */
export function formatter(spec: FormatSpec): Formatter {
  if (spec.k === 'date') {
    const [format, zone] = [dateFormat(spec.p), timeZone(spec.z)];
    return shownAs(spec, (value) => format.print(Math.floor(value), zone));
  }
  if (spec.k === 'boolean') return shownAs(spec, (value) => (value === 0 ? 'false' : 'true'));
  if (spec.k === 'unsigned') return shownAs(spec, formatDouble);
  if (spec.k === 'decimal') return shownAs(spec, decimalFormat(spec.p));
  return { ...rawFormatter, spec };
}

/**
 * The text beside the key of a term's bucket, null where answers show none: terms and unsigned numbers are their own
 * text.
 */
export function termKeyText(key: string | number | bigint, formatter: Formatter): string | null {
  return typeof key === 'string' || formatter.spec.k === 'unsigned' ? null : formatter.shown(Number(key));
}

/** Text of an un-analysed term. */
export function termText(spec: FormatSpec, term: string): string {
  return spec.k === 'ip' ? formatIp(term) : term;
}

/** The format of the first partial result that has one: shards whose mapping lacks the field have none. */
export function formatIn(partials: readonly Value[]): Formatter {
  for (const partial of partials) {
    const spec = (partial as { f?: FormatSpec } | null)?.f;
    if (spec && spec.k !== 'raw') return formatter(spec);
  }
  return rawFormatter;
}
