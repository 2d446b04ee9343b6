import type { Value } from '@shoal/codec';
import { errors, isApiError } from '@shoal/errors';
import { type FieldType, mappingOptions, parseMapping } from '@shoal/mapping';
import { formatDouble } from '@shoal/values';
import { createWeight } from '../execute/weight.js';
import type { Weight } from '../matcher.js';
import type { PlanContext } from '../parsed-query.js';
import { planQuery, shardError } from '../plan-query.js';
import { noColumn } from '../require-column.js';
import type { Searcher } from '../searcher.js';
import { afterParser } from './after-number.js';
import type { NestedDocs } from './nested-docs.js';
import { type NumberSort, numberKey } from './number-key.js';
import { constantKey, docKey, geoKey, scoreKey } from './other-keys.js';
import { checkSortFormat, countsNanos, sortsByNanos } from './sort-format.js';
import type { ScriptedField } from '../runtime/scripted-fields.js';
import { scriptKey } from './script-key.js';
import type { SortKey } from './sort-key.js';
import type { FieldSort, GeoDistanceSort, NestedSort, ScriptSort, SortMode, SortSpec } from './sort-spec.js';
import { termKey } from './term-key.js';

/** Sort values that answers show for documents without a value, in fields of whole numbers. */
const SIGNED = { min: -9223372036854775808n, max: 9223372036854775807n };
const UNSIGNED = { min: 0n, max: 18446744073709551615n };
const NANOS = { min: 0n, max: SIGNED.max };

/**
 * Binds the criteria of a sort to a shard. Throws query_shard_exception and illegal_argument_exception for fields that
 * cannot be sorted by. `position` is that of the shard in the whole search, which `_shard_doc` orders by first.
 */
export function bindSort(specs: readonly SortSpec[], context: PlanContext, position = 0): readonly SortKey[] {
  return specs.map((spec) => bind(spec, context, position));
}

function bind(spec: SortSpec, context: PlanContext, position: number): SortKey {
  switch (spec.kind) {
    case 'score':
      return scoreKey(spec.order === 'desc');
    case 'doc':
      return docKey(spec.order === 'desc', spec.acrossShards ? position : null);
    case 'geoDistance':
      return bindGeo(spec, context);
    case 'script':
      return bindScript(spec, context);
    case 'field':
      return bindField(spec, context);
  }
}

function bindScript(spec: ScriptSort, context: PlanContext): SortKey {
  const nested = spec.nested === null ? null : nestedDocsOf(spec.nested, spec.mode, context);
  if (spec.terms !== null) return bindScriptedTerms(spec, spec.terms, nested, context);
  return scriptKey(spec, nested, context.searcher);
}

function bindScriptedTerms(
  { order, mode }: ScriptSort,
  { name }: ScriptedField,
  nested: NestedDocs | null,
  context: PlanContext,
): SortKey {
  const type = context.searcher.mapping.field(name);
  if (type === null) throw errors.illegalArgument('sorting inner hits by texts of scripts is not supported');
  const options = { mode, unmappedType: null, numericType: null, format: null, nested: null };
  return bindTerms({ kind: 'field', field: name, order, missing: '_last', ...options }, type, nested, context);
}

function bindGeo(spec: GeoDistanceSort, context: PlanContext): SortKey {
  const type = context.searcher.mapping.field(spec.field);
  if (type === null) {
    if (spec.ignoreUnmapped) return constantKey(spec.order === 'desc' ? -Infinity : Infinity, 'Infinity');
    throw errors.illegalArgument(`failed to find mapper for [${spec.field}] for geo distance based sort`);
  }
  checkPoints(spec);
  if (type.capabilities.completes) throw withoutFielddata(type.name, type.typeName);
  if (type.layout === null || type.layout.column === null) throw noColumn(type, context.searcher);
  if (type.valueKind !== 'geo')
    throw errors.illegalArgument(`field [${spec.field}] of type [${type.typeName}] has no points to measure distances`);
  return geoKey(
    { ...spec, field: type.name },
    spec.nested === null ? null : nestedDocsOf(spec.nested, spec.mode, context),
  );
}

function checkPoints({ points, validation, field }: GeoDistanceSort): void {
  if (validation === 'COERCE') return;
  for (const { lat, lon } of points) {
    const [isLat, isLon] = [Math.abs(lat) <= 90, Math.abs(lon) <= 180];
    if (isLat && isLon) continue;
    const [name, value, limit] = isLat ? ['longitude', lon, 180] : ['latitude', lat, 90];
    const shown = formatDouble(Number(value));
    if (validation === 'STRICT')
      throw errors.parse(`illegal ${name} value [${shown}] for [GeoDistanceSort] for field [${field}].`);
    throw errors.illegalArgument(`invalid ${name} ${shown}; must be between -${limit}.0 and ${limit}.0`);
  }
}

function nestedDocsOf(
  nested: NestedSort,
  mode: SortMode | null,
  context: PlanContext,
  outer: readonly Weight[] = [],
): NestedDocs {
  const object = context.searcher.mapping.object(nested.path);
  if (object === null || !object.isNested)
    throw shardError(context.searcher, `[nested] failed to find nested object under path [${nested.path}]`);
  const inner: PlanContext = { ...context, nestedPath: nested.path };
  const filters =
    nested.filter === null
      ? outer
      : [
          ...outer,
          createWeight(planQuery(nested.filter, inner), context.searcher, {
            needsScores: false,
            nestedPath: nested.path,
          }),
        ];
  if (nested.nested !== null) return nestedDocsOf(nested.nested, mode, context, filters);
  const maxChildren = nested.maxChildren ?? Number.MAX_SAFE_INTEGER;
  return { path: nested.path, mode, maxChildren, filters, bits: new Map() };
}

const METADATA_NUMBERS = ['_seq_no', '_version', '_primary_term'];

/** Whether the index has neither a mapping nor a document: 8.12 knows no fields of metadata then. */
const isBlank = ({ mapping, segments }: Searcher): boolean =>
  mapping.fields.length === 0 &&
  segments.every(({ maxDoc }) => maxDoc === 0) &&
  Object.keys(mapping.toJson()).length === 0;

function bindField(spec: FieldSort, context: PlanContext): SortKey {
  const { searcher } = context;
  if (isBlank(searcher)) return bindUnmapped(spec, context);
  if (spec.field === '_id') {
    throw errors.illegalArgument(
      'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster ' +
        'setting: indices.id_field_data.enabled',
    );
  }
  if (spec.field === '_index') return constantKey(0, searcher.index);
  if (METADATA_NUMBERS.includes(spec.field)) return bindNumber(spec, null, null, context);
  const type = searcher.mapping.field(spec.field);
  if (type === null && UNSORTABLE_METADATA.includes(spec.field)) throw withoutFielddata(spec.field, spec.field);
  if (type === null) return bindUnmapped(spec, context);
  const nested = spec.nested === null ? null : nestedDocsOf(spec.nested, spec.mode, context);
  checkNesting(spec, type, context);
  return bindType(spec, type, nested, context);
}

const UNSORTABLE_METADATA = ['_source', '_routing', '_ignored', '_field_names'];

const withoutFielddata = (field: string, typeName: string): Error =>
  errors.illegalArgument(`Fielddata is not supported on field [${field}] of type [${typeName}]`);

function bindType(spec: FieldSort, type: FieldType, nested: NestedDocs | null, context: PlanContext): SortKey {
  if (type.capabilities.completes) throw withoutFielddata(type.name, type.typeName);
  if (type.capabilities.vectors === 'dense')
    throw errors.illegalArgument(`Field [${type.name}] of type [${type.typeName}] doesn't support sort`);
  if (type.layout === null || type.layout.column === null) throw noColumn(type, context.searcher);
  if (type.valueKind === 'geo')
    throw errors.illegalArgument(
      "can't sort on geo_point or point field without using specific sorting feature, like geo_distance",
    );
  if (type.layout.column === 'ordinals') return bindTerms(spec, type, nested, context);
  if (type.layout.column === 'long' || type.layout.column === 'double') return bindNumber(spec, type, nested, context);
  throw errors.illegalArgument(
    type.typeName === 'binary'
      ? "can't sort on binary field"
      : `can't sort on the [${type.typeName}] field [${type.name}]`,
  );
}

function checkNesting(spec: FieldSort, type: FieldType, { searcher, nestedPath }: PlanContext): void {
  const parent = searcher.mapping.nestedParent(type.name);
  const isReadable = parent === null || parent.path === nestedPath || parent.includeInRoot;
  if (!isReadable && spec.nested === null) {
    throw shardError(
      searcher,
      `it is mandatory to set the [nested] context on the nested sort field: [${spec.field}].`,
    );
  }
}

/** Name of a field that a shard makes up for `unmapped_type`, as in 8.12; no document has it. */
const ANONYMOUS = '__anonymous_';

function bindUnmapped(spec: FieldSort, context: PlanContext): SortKey {
  const { searcher } = context;
  if (spec.unmappedType === null)
    throw shardError(searcher, `No mapping found for [${spec.field}] in order to sort on`);
  return bindType(spec, anonymousField(spec.unmappedType, searcher), null, context);
}

function anonymousField(type: string, { analysis }: Searcher): FieldType {
  try {
    const mapping = parseMapping({ properties: { [ANONYMOUS]: { type } } }, mappingOptions({}, analysis));
    return mapping.field(ANONYMOUS)!;
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw errors.illegalArgument(`No mapper found for type [${type}]`);
  }
}

function isAtEnd(spec: FieldSort): number {
  return spec.missing === '_first' ? -Infinity : Infinity;
}

/** Returns the sort value that answers show for documents without a number: an extreme of the field's range. */
function extreme(isMax: boolean, isFloating: boolean, { min, max }: typeof SIGNED): Value {
  if (isFloating) return isMax ? 'Infinity' : '-Infinity';
  return isMax ? max : min;
}

function defaultMode(spec: FieldSort): SortMode {
  return spec.mode ?? (spec.order === 'asc' ? 'min' : 'max');
}

function bindNumber(spec: FieldSort, type: FieldType | null, nested: NestedDocs | null, context: PlanContext): SortKey {
  checkSortFormat(spec, type);
  const isDescending = spec.order === 'desc';
  const isFloating =
    spec.numericType === 'double' || (spec.numericType !== 'long' && type?.layout?.column === 'double');
  const isUnsigned = type?.valueKind === 'unsigned' && !isFloating;
  const range = isUnsigned ? UNSIGNED : countsNanos(spec, type?.typeName ?? null) ? NANOS : SIGNED;
  const atEnd = extreme((spec.missing === '_first') === isDescending, isFloating, range);
  const nanosField = sortsByNanos(spec, type) ? type.nanosField : null;
  const wide = nanosField !== null || (!isFloating && isWide(type?.name ?? spec.field, context.searcher));
  const given = givenMissing(spec.missing) ?? (isUnsigned || wide ? (atEnd as bigint) : null);
  const sort: NumberSort = {
    field: type?.name ?? spec.field,
    nanosField,
    isDescending,
    mode: defaultMode(spec),
    missing: given === null ? isAtEnd(spec) : (isDescending ? -1 : 1) * Number(given),
    missingValue: given ?? atEnd,
    isFloating,
    nested,
    isWide: wide,
    check: spec.numericType === 'date_nanos' && nanosField === null ? (ms) => void nanosOfMillis(BigInt(ms)) : null,
    render: nanosField === null ? (value) => renderNumber(value, spec, isFloating) : (value) => value,
    parse: afterParser(spec, type, isFloating),
  };
  return numberKey(sort);
}

/** Parses a `missing` that is a value; null for `_first` and `_last`. */
function givenMissing(value: unknown): number | bigint | null {
  if (value === '_first' || value === '_last') return null;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && /^[+-]?\d{16,20}$/.test(value)) return BigInt(value.replace('+', ''));
  const isNumber = typeof value !== 'boolean' && !(typeof value === 'string' && value.trim() === '');
  const number = isNumber ? Number(value) : Number.NaN;
  if (Number.isNaN(number)) throw errors.numberFormat(`For input string: "${String(value)}"`);
  return number;
}

function isWide(field: string, searcher: Searcher): boolean {
  return searcher.segments.some(({ reader }) => {
    const column = reader.numbers(field);
    return column !== null && column.kind === 'long' && !column.isExact;
  });
}

const NANOS_PER_MILLI = 1_000_000;

const NANOS_MAX = 2n ** 63n - 1n;

/** Returns milliseconds as nanoseconds; refuses those that dates in nanoseconds do not reach. */
function nanosOfMillis(millis: bigint): bigint {
  const nanos = millis * BigInt(NANOS_PER_MILLI);
  const end = 'and cannot be converted to nanoseconds';
  // What stands for a missing value is beyond all others, and stays so.
  const isMissing = millis >= NANOS_MAX || millis <= -NANOS_MAX;
  if (isMissing || (nanos >= 0n && nanos <= NANOS_MAX)) return nanos;
  if (nanos < 0n) throw errors.illegalArgument(`milliSeconds [${millis}] are before the epoch in 1970 ${end}`);
  throw errors.illegalArgument(`milliSeconds [${millis}] are after 2262-04-11T23:47:16.854775807 ${end}`);
}

/**
 * Returns a number as a sort value. A `format` is applied when hits are fetched: until then the numbers order the hits
 * of shards and mark where a scroll continues.
 */
function renderNumber(value: number | bigint, spec: FieldSort, isFloating: boolean): Value {
  if (spec.numericType === 'date_nanos') return nanosOfMillis(BigInt(value));
  if (typeof value === 'number' && !Number.isFinite(value) && isFloating) return value > 0 ? 'Infinity' : '-Infinity';
  return spec.numericType === 'long' && typeof value === 'number' ? Math.trunc(value) : value;
}

function bindTerms(spec: FieldSort, type: FieldType, nested: NestedDocs | null, context: PlanContext): SortKey {
  if (spec.numericType !== null)
    throw shardError(
      context.searcher,
      `[numeric_type] option cannot be set on a non-numeric field, got ${type.typeName}`,
    );
  const mode = defaultMode(spec);
  if (mode !== 'min' && mode !== 'max')
    throw shardError(context.searcher, 'we only support AVG, MEDIAN and SUM on number based fields');
  checkSortFormat(spec, type);
  const format = type.format(null, null);
  return termKey({
    field: type.name,
    isDescending: spec.order === 'desc',
    takesMax: mode === 'max',
    missing:
      spec.missing === '_first' || spec.missing === '_last'
        ? spec.missing
        : { term: String(format.parse(spec.missing)) },
    nested,
    render: (term) => format.toJson(term) as Value,
    parse: (value) => String(format.parse(value)),
  });
}
