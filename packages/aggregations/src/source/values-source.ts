import { type ApiError, errors } from '@shoal/errors';
import { type FieldType, noColumnError } from '@shoal/mapping';
import { parseSearchScript, type ScriptedField, scriptedField, type ScriptedType } from '@shoal/query';
import type { ColumnKind } from '@shoal/segments';
import { anyField, type FieldReaders, missingField, type ReadFields, stringField } from '../parse/body-fields.js';
import { dateFormat, parseIp } from '@shoal/values';
import type { CollectContext } from '../collector.js';
import { pointOf } from './missing-point.js';
import { missingValue } from './number-source.js';

/** The field that an aggregation reads, with `missing`, format and time zone, as the request gives them. */
export interface SourceRequest {
  readonly field: string;
  readonly missing: unknown;
  readonly format: string | null;
  readonly timeZone: string | null;
  /** `value_type`: the type of an unmapped field; null for none. */
  readonly valueType: string | null;
}

/** Readers of the fields that aggregations have which read a field and nothing else. */
export const fieldSourceFields = {
  field: stringField,
  missing: missingField,
  format: stringField,
  value_type: stringField,
  valueType: stringField,
} satisfies FieldReaders;

/** Readers of the fields that other aggregations on values have. */
export const sourceFields = { ...fieldSourceFields, script: anyField } satisfies FieldReaders;

/** Types by `value_type`. */
const VALUE_TYPES: ReadonlyMap<string, ScriptedType> = new Map([
  ['string', 'keyword'],
  ['long', 'long'],
  ['double', 'double'],
  ['number', 'double'],
  ['numeric', 'double'],
  ['date', 'date'],
  ['boolean', 'boolean'],
  ['ip', 'ip'],
]);

/** Where scripts of aggregations are read. */
export interface ScriptSite {
  /** Scripts of the tree; those that are read are added. */
  readonly scripted: ScriptedField[];
  /** Whether the aggregation is below `nested`. */
  readonly isBelowNested: boolean;
}

/**
 * Makes the source from the fields of a body. The values of a script are a field of their own; without a field beside
 * it they are of `scriptType`, null for an aggregation of other values than scripts return. Throws
 * illegal_argument_exception if there is neither a field nor a script.
 */
export function sourceOf(
  fields: ReadFields<typeof sourceFields>,
  site: ScriptSite,
  scriptType: ScriptedType | null,
  timeZone: string | null = null,
): SourceRequest {
  const valueType = fields.value_type ?? fields.valueType ?? null;
  if (fields.field === undefined && fields.script === undefined)
    throw errors.illegalArgument('Required one of fields [field, script], but none were specified. ');
  return {
    field:
      fields.script === undefined
        ? fields.field!
        : addScript(fields.script, fields.field ?? null, VALUE_TYPES.get(valueType ?? '') ?? scriptType, site),
    missing: fields.missing ?? null,
    format: fields.format ?? null,
    timeZone,
    valueType,
  };
}

/** As `sourceOf`, for aggregations that read fields only. Throws illegal_argument_exception if there is no field. */
export function fieldSourceOf(fields: ReadFields<typeof fieldSourceFields>, site: ScriptSite): SourceRequest {
  if (fields.field === undefined)
    throw errors.illegalArgument('Required one of fields [field], but none were specified. ');
  return sourceOf(fields, site, null);
}

/** Adds the values of a script to those of the tree, and returns the name of their field. */
function addScript(json: unknown, input: string | null, type: ScriptedType | null, site: ScriptSite): string {
  if (type === null)
    throw errors.aggregationExecution('value source of type [geo_point] is not supported by scripts', { status: 400 });
  const script = parseSearchScript(json, 'aggs');
  const field = scriptedField({ script, input, type, isOfNested: site.isBelowNested });
  if (!site.scripted.some(({ name }) => name === field.name)) site.scripted.push(field);
  return field.name;
}

/** A field of the mapping of one shard, with its column. */
export interface ResolvedField {
  readonly type: FieldType;
  readonly column: ColumnKind;
}

/**
 * What an aggregation reads: `numbers`, `terms` (any column whose values can be counted), `addresses`, `points`, or
 * `any`.
 */
export type SourceKind = 'numbers' | 'terms' | 'addresses' | 'points' | 'any';

const KINDS: Readonly<Record<SourceKind, readonly ColumnKind[]>> = {
  numbers: ['long', 'double'],
  terms: ['long', 'double', 'ordinals'],
  addresses: ['ordinals'],
  points: ['geo'],
  any: ['long', 'double', 'ordinals', 'geo', 'binary'],
};

/** The name of a field in errors. All keys of a `flattened` field are one field, which 8.12 calls `root._keyed`. */
function shownName({ name, typeName }: FieldType, context: CollectContext): string {
  if (typeName !== 'flattened') return name;
  for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1))
    if (context.searcher.mapping.field(name.slice(0, dot))?.typeName === 'flattened')
      return `${name.slice(0, dot)}._keyed`;
  return name;
}

/** Makes the error of an aggregation on a field of the wrong type. */
export function notSupported(field: FieldType, aggregation: string, context: CollectContext): ApiError {
  return errors.illegalArgument(
    `Field [${shownName(field, context)}] of type [${field.typeName}] is not supported for aggregation ` +
      `[${aggregation}]`,
  );
}

/** Refuses a value for documents without one where the values are ranges, of which none can be written as a number. */
export function refuseMissingRange({ missing }: SourceRequest, field: ResolvedField | null): void {
  if (missing !== null && missing !== undefined && field !== null && holdsRanges(field.type))
    throw errors.illegalArgument(`Can't apply missing values on ranges: [${field.type.name}]`);
}

/** Whether the values of a field are ranges: of numbers, dates or addresses. */
export const holdsRanges = ({ capabilities, typeName }: FieldType): boolean =>
  capabilities.rangesOver !== null || typeName === 'ip_range';

/**
 * Returns a field with its column; null if the mapping of the shard lacks it. Throws illegal_argument_exception for
 * text and for fields without a column.
 */
function readable(context: CollectContext, name: string): ResolvedField | null {
  const { mapping, index } = context.searcher;
  if (name === '_id')
    throw errors.illegalArgument(
      'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster ' +
        'setting: indices.id_field_data.enabled',
    );
  const type = mapping.field(name);
  if (!type) return null;
  const column = type.layout?.column ?? null;
  if (column === null || !type.isAggregatable) throw noColumnError(type, index);
  return { type, column };
}

/** Whether values of a field print in formats of requests; those of others print in one way only. */
function takesFormats({ valueKind }: FieldType, column: ColumnKind): boolean {
  if (column === 'binary') return true;
  return valueKind !== 'boolean' && valueKind !== 'ip' && column !== 'ordinals' && column !== 'geo';
}

function checkFormats(
  { type, column }: ResolvedField,
  { format, timeZone }: SourceRequest,
  context: CollectContext,
): void {
  const isDate = type.valueKind === 'date' || type.capabilities.rangesOver === 'date';
  if (isDate && format === '') throw errors.illegalArgument('No date pattern provided');
  if (isDate && format !== null) dateFormat(format);
  const refused = (what: string): ApiError =>
    errors.illegalArgument(
      `Field [${shownName(type, context)}] of type [${type.typeName}] does not support custom ${what}`,
    );
  if (format !== null && !isDate && !takesFormats(type, column)) throw refused('formats');
  if (timeZone !== null && !isDate && column !== 'binary') throw refused('time zones');
}

/** Refuses a `missing` that is no value of the field. */
function checkMissing(
  { type, column }: ResolvedField,
  { missing, format }: SourceRequest,
  context: CollectContext,
): void {
  if (missing === null) return;
  if (type.metricColumns !== undefined)
    throw errors.illegalArgument(`Field [${type.name}] of type [${type.typeName}] takes no [missing]`);
  if (column === 'long' || column === 'double') missingValue(missing, type, format, context.now);
  else if (column === 'geo') pointOf(String(missing));
  else if (type.valueKind === 'ip' && parseIp(String(missing)) === null)
    throw errors.illegalArgument(`'${String(missing)}' is not an IP string literal.`);
}

/** A field that an aggregation reads, and what it expects there. */
export interface FieldUse {
  readonly source: SourceRequest;
  readonly kind: SourceKind;
  /** What errors name as the aggregation: a source of a composite by its type. Default: the type of the aggregation. */
  readonly of?: string;
  /** Whether the field must be one of numbers whatever its values are taken for, which has an error of its own. */
  readonly mustBeNumeric?: boolean;
}

/**
 * Refuses a field that an aggregation cannot read, a format or a time zone that its values do not have, and values of
 * another kind, in this order. Histograms look at ranges only when they are built.
 */
export function checkFieldUse(
  context: CollectContext,
  { source, kind, of, mustBeNumeric = false }: FieldUse,
  aggregation: string,
  isHistogram: boolean,
): void {
  const field = readable(context, source.field);
  if (!field) return;
  if (mustBeNumeric && !KINDS.numbers.includes(field.column))
    throw errors.illegalArgument(`Expected numeric type on field [${source.field}], but got [${field.type.typeName}]`);
  checkFormats(field, source, context);
  checkMissing(field, source, context);
  if (!isHistogram || !holdsRanges(field.type)) checkKind(context, field, kind, of ?? aggregation);
}

/** Aggregations of the values of `aggregate_metric_double`, each of which reads the metric that it needs. */
const OF_AGGREGATES: ReadonlySet<string> = new Set(['avg', 'max', 'min', 'sum', 'value_count']);

function checkKind(context: CollectContext, { type, column }: ResolvedField, kind: SourceKind, of: string): void {
  if (type.metricColumns !== undefined && !OF_AGGREGATES.has(of)) throw notSupported(type, of, context);
  // Ranges are kept as terms, which count as values, but are none that could be shown.
  if (holdsRanges(type) && kind !== 'any' && of !== 'cardinality') throw notSupported(type, of, context);
  const holdsOthers = kind === 'addresses' && type.valueKind !== 'ip';
  if (!KINDS[kind].includes(column) || holdsOthers) throw notSupported(type, of, context);
}

/**
 * Returns the field that an aggregation reads; null if the mapping of the shard lacks it. Throws
 * illegal_argument_exception for text, for fields without a column, and for types that the aggregation does not
 * support.
 */
export function resolveField(
  context: CollectContext,
  name: string,
  kind: SourceKind,
  aggregation: string,
): ResolvedField | null {
  const field = readable(context, name);
  if (field) checkKind(context, field, kind, aggregation);
  return field;
}
