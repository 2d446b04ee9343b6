import { errors } from '@shoal/errors';
import type { Value } from '@shoal/codec';
import { isPlainObject } from '@shoal/json';
import { type FieldType, seriesJson } from '@shoal/mapping';
import { type DateFormat, dateFormat, decimalFormat, formatDouble, formatIp, timeZone } from '@shoal/values';

/** How values are printed. Part of partial results, as the coordinator has no mapping. */
export type FormatSpec =
  | { readonly k: 'raw' }
  | { readonly k: 'date'; readonly p: string; readonly z: string }
  | { readonly k: 'boolean' }
  /** Whole numbers up to 2^64 - 1. Keys print exactly; computed numbers get a text beside them. */
  | { readonly k: 'unsigned' }
  /** Numbers that are doubles: keys print as 4.0. */
  | { readonly k: 'double' }
  | { readonly k: 'ip' }
  /** Time series (`_tsid`): keys print as objects of their dimensions. */
  | { readonly k: 'series' }
  | { readonly k: 'decimal'; readonly p: string };

/** Prints values of one format. */
export interface Formatter {
  readonly spec: FormatSpec;
  /** Text of a value in keyed answers and paths. */
  text(value: number): string;
  /** Text of a value for `*_as_string`; null if the answer shows none. */
  shown(value: number): string | null;
}

/** Format of values that print as they are. */
export const RAW_FORMAT: FormatSpec = { k: 'raw' };
const SERIES_FORMAT: FormatSpec = { k: 'series' };
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

/**
 * Returns how values of a field are printed. `format` and `zone` of the request may be null. Throws
 * illegal_argument_exception for a format of values that have only one.
 */
export function formatOf(field: FieldType | null, format: string | null, zone: string | null): FormatSpec {
  const kind = field?.valueKind;
  if (field && format !== null && (kind === 'boolean' || kind === 'ip' || field.layout?.column === 'ordinals'))
    throw errors.illegalArgument(`Field [${field.name}] of type [${field.typeName}] does not support custom formats`);
  if (field?.typeName === '_tsid') return SERIES_FORMAT;
  if (kind === 'date') return { k: 'date', p: format ?? datePattern(field), z: zone ?? 'UTC' };
  if (kind === 'boolean') return { k: 'boolean' };
  if (kind === 'ip') return { k: 'ip' };
  if (kind === 'unsigned') return { k: 'unsigned' };
  return format === null ? RAW_FORMAT : { k: 'decimal', p: format };
}

/** Returns the format of bucket keys: that of the values, or `double` for fields of decimals. */
export function keyFormat(field: FieldType | null, spec: FormatSpec): FormatSpec {
  return spec.k === 'raw' && field?.valueKind === 'double' ? { k: 'double' } : spec;
}

const rawFormatter: Formatter = { spec: RAW_FORMAT, text: formatDouble, shown: () => null };

function shownAs(spec: FormatSpec, text: (value: number) => string): Formatter {
  return { spec, text, shown: text };
}

const LONG_MAX = 2n ** 63n - 1n;

/** A computed number as whole milliseconds: cut towards 0, NaN as 0, at most what 64 bits hold, as Java casts. */
function wholeMs(value: number): number | bigint {
  if (value >= 2 ** 63) return LONG_MAX;
  if (value <= -(2 ** 63)) return -LONG_MAX - 1n;
  return Number.isNaN(value) ? 0 : Math.trunc(value);
}

/** Compiled formats of dates: a reduce asks for that of its field once for each bucket above it. */
const compiled = new Map<string, DateFormat>();
const COMPILED_MAX = 64;

function compiledFormat(pattern: string): DateFormat {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size === COMPILED_MAX) compiled.clear();
  const format = dateFormat(pattern);
  compiled.set(pattern, format);
  return format;
}

/** Makes the formatter of a format. */
export function formatter(spec: FormatSpec): Formatter {
  if (spec.k === 'date') {
    const [format, zone] = [compiledFormat(spec.p), timeZone(spec.z)];
    return shownAs(spec, (value) => format.print(wholeMs(value), zone));
  }
  if (spec.k === 'boolean') return shownAs(spec, (value) => (value === 0 ? 'false' : 'true'));
  if (spec.k === 'unsigned') return shownAs(spec, formatDouble);
  if (spec.k === 'decimal') return shownAs(spec, decimalFormat(spec.p));
  return { ...rawFormatter, spec };
}

/** Returns `key_as_string` of a terms bucket; null for strings and unsigned numbers, whose keys are their text. */
export function termKeyText(key: string | number | bigint, formatter: Formatter): string | null {
  return typeof key === 'string' || formatter.spec.k === 'unsigned' ? null : formatter.shown(Number(key));
}

/** Returns a term of a keyword-like column as answers show it: a text, or the dimensions of a time series. */
export function termJson(spec: FormatSpec, term: string): unknown {
  if (spec.k === 'series') return seriesJson(term);
  return spec.k === 'ip' ? formatIp(term) : term;
}

/** Returns a key as paths and keyed answers have it: `{host=a, port=5}` for the dimensions of a time series. */
export function keyPath(key: unknown): string {
  if (!isPlainObject(key)) return String(key);
  return `{${Object.entries(key)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(', ')}}`;
}

/** Makes the formatter of the first partial result with a format. Shards whose mapping lacks the field have none. */
export function formatIn(partials: readonly Value[]): Formatter {
  for (const partial of partials) {
    const spec = (partial as { f?: FormatSpec } | null)?.f;
    if (spec && spec.k !== 'raw') return formatter(spec);
  }
  return rawFormatter;
}
