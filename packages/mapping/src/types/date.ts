import { errors, isApiError } from '@shoal/errors';
import { type DateFormat, dateFormat, timeZone as zoneOf } from '@shoal/values';
import type { DocumentSink, FieldType, RangeBounds, ValueContext, ValueFormat, ValueQuery } from '../field-type.js';
import {
  docValues,
  ignoreMalformed,
  index,
  javaText,
  meta,
  nullValueParameter,
  onScriptError,
  type Parameter,
  parameter,
  script,
  store,
  textParameter,
} from '../parameter.js';
import { rangeOrReversed } from '../reversed-range.js';
import { checkSearchable, type FieldConfig, fieldType, type FieldTypeDefinition, numberLayout } from './definition.js';
import { mayIgnore, readOrIgnore } from './whole-numbers.js';

/** Default format of `date` fields. */
export const DEFAULT_DATE_FORMAT = 'strict_date_optional_time||epoch_millis';

/** Numbers from here on cannot be years, so they are milliseconds. */
const CERTAIN_MILLIS = 1e10;

/** Milliseconds of a document's value, parsed by the field's format. */
function readDate(format: DateFormat, value: unknown, text: string): number {
  if (
    typeof value === 'number' &&
    value > CERTAIN_MILLIS &&
    Number.isSafeInteger(value) &&
    format.pattern === DEFAULT_DATE_FORMAT
  )
    return value;
  if (text === '') throw errors.illegalArgument('cannot parse empty date');
  return format.parse(text);
}

/** Text of a date in a query; numbers become text. */
export function dateText(value: unknown): string {
  return typeof value === 'string' ? value : javaText(value);
}

/** Bounds of a range in milliseconds: `gt` and `lte` round up, `gte` and `lt` down. */
export function dateBounds(
  bounds: RangeBounds,
  fieldFormat: DateFormat,
  { now }: ValueContext,
): { readonly low: number; readonly high: number } {
  const format = bounds.format === undefined ? fieldFormat : dateFormat(bounds.format);
  const zone = bounds.timeZone === undefined ? undefined : zoneOf(bounds.timeZone);
  const read = (value: unknown, roundUp: boolean): number =>
    format.parseRounded(dateText(value), { roundUp, now, zone });
  const given = (value: unknown): boolean => value !== undefined && value !== null;
  let low = -Infinity;
  let high = Infinity;
  if (given(bounds.gte)) low = read(bounds.gte, false);
  else if (given(bounds.gt)) low = read(bounds.gt, true) + 1;
  if (given(bounds.lte)) high = read(bounds.lte, true);
  else if (given(bounds.lt)) high = read(bounds.lt, false) - 1;
  return { low, high };
}

/** Bounds of a query of which one is a number are all milliseconds, whatever the format of the field. */
function byMillis(bounds: RangeBounds): RangeBounds {
  const hasNumber = [bounds.gt, bounds.gte, bounds.lt, bounds.lte].some((bound) => typeof bound === 'number');
  return bounds.format === undefined && hasNumber ? { ...bounds, format: 'epoch_millis' } : bounds;
}

/** `now` for values outside of a request: 1970. */
export const epoch = (): number => 0;

/** Formats dates in a zone; as numbers if `pattern` is null. */
function dateValueFormat(fieldFormat: DateFormat, pattern: string | null, zoneId: string | null): ValueFormat {
  const format = pattern === null ? fieldFormat : dateFormat(pattern);
  const zone = zoneId === null ? undefined : zoneOf(zoneId);
  const toText = (value: number | bigint | string): string => format.print(Number(value), zone);
  const parse = (value: unknown): number =>
    typeof value === 'number' ? value : format.parseRounded(dateText(value), { roundUp: false, now: epoch, zone });
  return { toJson: pattern === null ? (value) => value : toText, toText, parse };
}

/** The value of `null_value`, read by `parse`; null if it is not given. Throws mapper_parsing_exception. */
export function parseNull<T>(value: unknown, parse: (text: string) => T, name: string): T | null {
  if (value === null) return null;
  try {
    return parse(dateText(value));
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw errors.mapperParsing(`Error parsing [null_value] on field [${name}]: ${error.reason ?? ''}`, {
      cause: error,
    });
  }
}

function dateField(config: FieldConfig): FieldType {
  const { name } = config;
  const format = dateFormat(config.text('format'));
  const layout = numberLayout(name, 'long', config.boolean('index'), config.boolean('doc_values'));
  const ignores = config.boolean('ignore_malformed');
  const nullMs = parseNull(config.value('null_value'), (text) => format.parse(text), name);
  const add = (sink: DocumentSink, ms: number | null): void => {
    if (ms !== null && layout !== null) sink.addNumber(layout, ms);
  };
  const toQuery = ({ low, high }: { readonly low: number; readonly high: number }): ValueQuery =>
    rangeOrReversed({ kind: 'number', low, high });
  return fieldType(config, {
    layout,
    valueKind: 'date',
    parse(value, sink) {
      if (value === null) add(sink, nullMs);
      else if (!mayIgnore(ignores, value))
        add(sink, readDate(format, value, typeof value === 'string' ? value : sink.textOf(value)));
      else
        add(
          sink,
          readOrIgnore(true, name, sink, () => readDate(format, value, sink.textOf(value))),
        );
    },
    termQuery(value, context) {
      checkSearchable(name, layout);
      return toQuery(dateBounds(byMillis({ gte: value, lte: value }), format, context));
    },
    rangeQuery(bounds, context) {
      // 8.12 finds no bounds of the values that the range could overlap, and rewrites the query to match_none.
      if (layout === null) return { kind: 'none' };
      return toQuery(dateBounds(byMillis(bounds), format, context));
    },
    format: (pattern, zoneId) => dateValueFormat(format, pattern, zoneId),
    fetchValue: (value, pattern) => fetchDate(format, value, pattern),
  });
}

function fetchDate(format: DateFormat, value: unknown, pattern: string | null): unknown {
  try {
    const ms = format.parse(dateText(value));
    return (pattern === null ? format : dateFormat(pattern)).print(ms);
  } catch {
    return undefined;
  }
}

/** `format`: date patterns. Checked when the definition is parsed, used on values. */
export function formatParameter(byDefault: string): Parameter {
  return parameter('format', byDefault, (value) => {
    const pattern = javaText(value);
    try {
      dateFormat(pattern);
    } catch (error) {
      if (!isApiError(error)) throw error;
      throw errors.illegalArgument(error.reason, error.causedBy ? { cause: error.causedBy } : {});
    }
    return pattern;
  });
}

/** Parameters of types of dates. */
export function dateParameters(defaultFormat: string): readonly Parameter[] {
  return [
    index,
    docValues,
    store,
    formatParameter(defaultFormat),
    textParameter('locale', ''),
    nullValueParameter((value) => javaText(value)),
    ignoreMalformed,
    script,
    onScriptError,
    meta,
  ];
}

/** `date`: milliseconds since 1970. */
export const date: FieldTypeDefinition = {
  name: 'date',
  parameters: dateParameters(DEFAULT_DATE_FORMAT),
  create: dateField,
};
