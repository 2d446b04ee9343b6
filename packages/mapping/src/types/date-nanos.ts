import { errors } from '@shoal/errors';
import { type DateFormat, dateFormat, timeZone as zoneOf, type Zone } from '@shoal/values';
import type { FieldLayout } from '@shoal/segments';
import type { DocumentSink, FieldType, RangeBounds, ValueContext, ValueFormat, ValueQuery } from '../field-type.js';
import { rangeOrReversed } from '../reversed-range.js';
import { dateParameters, dateText, epoch, parseNull } from './date.js';
import { checkSearchable, type FieldConfig, fieldType, type FieldTypeDefinition, numberLayout } from './definition.js';
import { mayIgnore, readOrIgnore } from './whole-numbers.js';

const DEFAULT_FORMAT = 'strict_date_optional_time_nanos||epoch_millis';
const PER_MILLI = 1_000_000n;
/** 2262-04-11T23:47:16.854775807Z. */
const LAST = 2n ** 63n - 1n;

/** Throws for moments that 64 bits of nanoseconds since 1970 do not reach. */
function checkRange(nanos: bigint): bigint {
  if (nanos >= 0n && nanos <= LAST) return nanos;
  const shown = printNanos(dateFormat('strict_date_optional_time_nanos'), nanos).replace('.000Z', 'Z');
  throw errors.illegalArgument(
    nanos < 0n
      ? `date[${shown}] is before the epoch in 1970 and cannot be stored in nanosecond resolution`
      : `date[${shown}] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution`,
  );
}

/** Milliseconds of a moment, rounded down. */
const millisOf = (nanos: bigint): number => {
  const rest = ((nanos % PER_MILLI) + PER_MILLI) % PER_MILLI;
  return Number((nanos - rest) / PER_MILLI);
};

function printNanos(format: DateFormat, nanos: bigint, zone?: Zone): string {
  const ms = millisOf(nanos);
  return format.print(ms, zone, Number(nanos - BigInt(ms) * PER_MILLI));
}

/** Bounds of a range in nanoseconds: `gt` and `lte` round up, `gte` and `lt` down. */
function boundsOf(
  bounds: RangeBounds,
  fieldFormat: DateFormat,
  { now }: ValueContext,
): { readonly low: bigint; readonly high: bigint } {
  const format = bounds.format === undefined ? fieldFormat : dateFormat(bounds.format);
  const zone = bounds.timeZone === undefined ? undefined : zoneOf(bounds.timeZone);
  const read = (value: unknown, roundUp: boolean): bigint =>
    checkRange(format.parseRoundedNanos(dateText(value), { roundUp, now, zone }));
  const given = (value: unknown): boolean => value !== undefined && value !== null;
  let [low, high] = [0n, LAST];
  if (given(bounds.gte)) low = read(bounds.gte, false);
  else if (given(bounds.gt)) low = read(bounds.gt, true) + 1n;
  if (given(bounds.lte)) high = read(bounds.lte, true);
  else if (given(bounds.lt)) high = read(bounds.lt, false) - 1n;
  return { low, high };
}

/** Values are milliseconds, as aggregations see them; `nanos` prints and parses all digits. */
function valueFormat(fieldFormat: DateFormat, pattern: string | null, zoneId: string | null): ValueFormat {
  const format = pattern === null ? fieldFormat : dateFormat(pattern);
  const zone = zoneId === null ? undefined : zoneOf(zoneId);
  const toText = (value: number | bigint | string): string => format.print(Number(value), zone);
  const rounding = { roundUp: false, now: epoch, zone };
  return {
    toJson: pattern === null ? (value) => value : toText,
    toText,
    parse: (value) => (typeof value === 'number' ? value : format.parseRounded(dateText(value), rounding)),
    nanos: {
      toText: (nanos) => printNanos(format, nanos, zone),
      parse: (value) => checkRange(format.parseRoundedNanos(dateText(value), rounding)),
    },
  };
}

function fetchNanos(format: DateFormat, value: unknown, pattern: string | null): unknown {
  try {
    const nanos = format.parseNanos(dateText(value));
    return printNanos(pattern === null ? format : dateFormat(pattern), nanos);
  } catch {
    return undefined;
  }
}

function readNanos(format: DateFormat, text: string): bigint {
  if (text === '') throw errors.illegalArgument('cannot parse empty date');
  return checkRange(format.parseNanos(text));
}

function dateNanosField(config: FieldConfig): FieldType {
  const { name } = config;
  const format = dateFormat(config.text('format'));
  const layout = numberLayout(name, 'long', config.boolean('index'), config.boolean('doc_values'));
  const nanosField = `${name}._nanos`;
  const exact: FieldLayout | null =
    layout === null ? null : { name: nanosField, terms: null, column: 'long', points: false };
  const ignores = config.boolean('ignore_malformed');
  const nullNanos = parseNull(config.value('null_value'), (text) => readNanos(format, text), name);
  const add = (sink: DocumentSink, nanos: bigint | null): void => {
    if (nanos === null || layout === null) return;
    sink.mayRepeat = true;
    sink.addNumber(layout, millisOf(nanos));
    sink.addNumber(exact!, nanos);
  };
  const query = ({ low, high }: { readonly low: bigint; readonly high: bigint }): ValueQuery =>
    rangeOrReversed({ kind: 'nanos', low, high, exact: nanosField });
  return fieldType(config, {
    layout,
    nanosField,
    valueKind: 'date',
    parse(value, sink) {
      if (value === null) add(sink, nullNanos);
      else
        add(
          sink,
          readOrIgnore(mayIgnore(ignores, value), name, sink, () => readNanos(format, sink.textOf(value))),
        );
    },
    termQuery(value, context) {
      checkSearchable(name, layout);
      return query(boundsOf({ gte: value, lte: value }, format, context));
    },
    rangeQuery(bounds, context) {
      // 8.12 finds no bounds of the values that the range could overlap, and rewrites the query to match_none.
      if (layout === null) return { kind: 'none' };
      return query(boundsOf(bounds, format, context));
    },
    format: (pattern, zoneId) => valueFormat(format, pattern, zoneId),
    fetchValue: (value, pattern) => fetchNanos(format, value, pattern),
  });
}

/**
 * `date_nanos`: 1970 to 2262. Its column has milliseconds, as aggregations need them; a second one, which no mapping
 * names, has the nanoseconds. Sorts and shown values read that one; ranges look at it for documents in the first and
 * the last millisecond only. Documents written before it was there count as whole milliseconds.
 */
export const dateNanos: FieldTypeDefinition = {
  name: 'date_nanos',
  parameters: dateParameters(DEFAULT_FORMAT),
  create: dateNanosField,
};
