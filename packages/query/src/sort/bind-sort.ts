import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { createWeight } from '../execute/weight.js';
import type { Weight } from '../matcher.js';
import type { PlanContext } from '../parsed-query.js';
import { planQuery, shardError } from '../plan-query.js';
import type { Searcher } from '../searcher.js';
import { afterParser } from './after-number.js';
import type { NestedDocs } from './nested-docs.js';
import { type NumberSort, numberKey } from './number-key.js';
import { constantKey, docKey, geoKey, scoreKey } from './other-keys.js';
import { checkSortFormat, countsNanos } from './sort-format.js';
import type { SortKey } from './sort-key.js';
import type { FieldSort, GeoDistanceSort, NestedSort, SortMode, SortSpec } from './sort-spec.js';
import { termKey } from './term-key.js';

/** Sort values that answers show for documents without a value, in fields of whole numbers. */
const SIGNED = { min: -9223372036854775808n, max: 9223372036854775807n };
const UNSIGNED = { min: 0n, max: 18446744073709551615n };
const NANOS = { min: 0n, max: SIGNED.max };

/**
 * Binds the criteria of a sort to a shard. Throws query_shard_exception and illegal_argument_exception for fields that
 * cannot be sorted by.
 */
export function bindSort(specs: readonly SortSpec[], context: PlanContext): readonly SortKey[] {
  return specs.map((spec) => bind(spec, context));
}

function bind(spec: SortSpec, context: PlanContext): SortKey {
  switch (spec.kind) {
    case 'score':
      return scoreKey(spec.order === 'desc');
    case 'doc':
      return docKey(spec.order === 'desc', spec.acrossShards ? context.searcher.shard : null);
    case 'geoDistance':
      return bindGeo(spec, context);
    case 'field':
      return bindField(spec, context);
  }
}

function bindGeo(spec: GeoDistanceSort, context: PlanContext): SortKey {
  const type = context.searcher.mapping.field(spec.field);
  if (type === null) {
    if (spec.ignoreUnmapped) return constantKey(spec.order === 'desc' ? -Infinity : Infinity, 'Infinity');
    throw errors.illegalArgument(`failed to find mapper for [${spec.field}] for geo distance based sort`);
  }
  return geoKey({ ...spec, field: type.name }, spec.nested === null ? null : nestedDocsOf(spec.nested, context));
}

function nestedDocsOf(nested: NestedSort, context: PlanContext, outer: readonly Weight[] = []): NestedDocs {
  const object = context.searcher.mapping.object(nested.path);
  if (object === null || !object.isNested)
    throw shardError(context.searcher, `[nested] failed to find nested object under path [${nested.path}]`);
  const inner: PlanContext = { ...context, nestedPath: nested.path };
  const filters =
    nested.filter === null
      ? outer
      : [...outer, createWeight(planQuery(nested.filter, inner), context.searcher, { needsScores: false })];
  if (nested.nested !== null) return nestedDocsOf(nested.nested, context, filters);
  return { path: nested.path, maxChildren: nested.maxChildren ?? Number.MAX_SAFE_INTEGER, filters, bits: new Map() };
}

const METADATA_NUMBERS = ['_seq_no', '_version', '_primary_term'];

function bindField(spec: FieldSort, context: PlanContext): SortKey {
  const { searcher } = context;
  if (spec.field === '_id') {
    throw errors.illegalArgument(
      'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster ' +
        'setting: indices.id_field_data.enabled',
    );
  }
  if (spec.field === '_index') return constantKey(0, searcher.index);
  if (METADATA_NUMBERS.includes(spec.field)) return bindNumber(spec, null, context);
  const type = searcher.mapping.field(spec.field);
  if (type === null) return bindUnmapped(spec, searcher);
  checkNesting(spec, type, context);
  return bindType(spec, type, context);
}

function bindType(spec: FieldSort, type: FieldType, context: PlanContext): SortKey {
  if (type.layout === null || type.layout.column === null) throw notSortable(type, context.searcher);
  if (type.valueKind === 'geo')
    throw errors.illegalArgument(
      "can't sort on geo_point or point field without using specific sorting feature, like geo_distance",
    );
  if (type.layout.column === 'ordinals') return bindTerms(spec, type, context);
  if (type.layout.column === 'long' || type.layout.column === 'double') return bindNumber(spec, type, context);
  throw errors.illegalArgument(
    type.typeName === 'binary'
      ? "can't sort on binary field"
      : `can't sort on the [${type.typeName}] field [${type.name}]`,
  );
}

function notSortable(type: FieldType, searcher: Searcher): Error {
  if (!type.capabilities.couldUninvert) {
    return errors.illegalArgument(
      `Can't load fielddata on [${type.name}] because fielddata is unsupported on fields of type ` +
        `[${type.typeName}]. Use doc values instead.`,
    );
  }
  return errors.illegalArgument(
    `Fielddata is disabled on [${type.name}] in [${searcher.index}]. Text fields are not optimised for operations ` +
      'that require per-document field data ' +
      'like aggregations and sorting, so these operations are disabled by default. Please use a keyword field ' +
      'instead. Alternatively, set fielddata=true ' +
      `on [${type.name}] in order to load field data by uninverting the inverted index. Note that this can use ` +
      'significant memory.',
  );
}

function checkNesting(spec: FieldSort, type: FieldType, { searcher, nestedPath }: PlanContext): void {
  const parent = searcher.mapping.nestedParent(type.name);
  if (parent !== null && parent.path !== nestedPath && spec.nested === null) {
    throw shardError(
      searcher,
      `it is mandatory to set the [nested] context on the nested sort field: [${spec.field}].`,
    );
  }
}

const STRING_TYPES = ['keyword', 'ip', 'text', 'version', 'constant_keyword', 'wildcard'];

function bindUnmapped(spec: FieldSort, searcher: Searcher): SortKey {
  if (spec.unmappedType === null)
    throw shardError(searcher, `No mapping found for [${spec.field}] in order to sort on`);
  if (STRING_TYPES.includes(spec.unmappedType))
    return constantKey(spec.missing === '_first' ? -Infinity : Infinity, null);
  const isFloating = ['double', 'float', 'half_float', 'scaled_float'].includes(spec.unmappedType);
  const extremes = spec.unmappedType === 'unsigned_long' ? UNSIGNED : SIGNED;
  return constantKey(isAtEnd(spec), extreme(isAtEnd(spec) > 0 !== (spec.order === 'desc'), isFloating, extremes));
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

function bindNumber(spec: FieldSort, type: FieldType | null, context: PlanContext): SortKey {
  checkSortFormat(spec, type);
  const isDescending = spec.order === 'desc';
  const isFloating = type?.layout?.column === 'double' || spec.numericType === 'double';
  const isUnsigned = type?.valueKind === 'unsigned' && !isFloating;
  const range = isUnsigned ? UNSIGNED : countsNanos(spec, type?.typeName ?? null) ? NANOS : SIGNED;
  const atEnd = extreme((spec.missing === '_first') === isDescending, isFloating, range);
  const wide = !isFloating && isWide(type?.name ?? spec.field, context.searcher);
  const given = givenMissing(spec.missing) ?? (isUnsigned || wide ? (atEnd as bigint) : null);
  const sort: NumberSort = {
    field: type?.name ?? spec.field,
    isDescending,
    mode: defaultMode(spec),
    missing: given === null ? isAtEnd(spec) : (isDescending ? -1 : 1) * Number(given),
    missingValue: given ?? atEnd,
    isFloating,
    nested: spec.nested === null ? null : nestedDocsOf(spec.nested, context),
    isWide: wide,
    render: (value) => renderNumber(value, spec, isFloating),
    parse: afterParser(spec, type, isFloating),
  };
  return numberKey(sort);
}

/** Parses a `missing` that is a value; null for `_first` and `_last`. */
function givenMissing(value: unknown): number | bigint | null {
  if (value === '_first' || value === '_last') return null;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && /^[+-]?\d{16,20}$/.test(value)) return BigInt(value.replace('+', ''));
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
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

/**
 * Returns a number as a sort value. A `format` is applied when hits are fetched: until then the numbers order the hits
 * of shards and mark where a scroll continues.
 */
function renderNumber(value: number | bigint, spec: FieldSort, isFloating: boolean): Value {
  if (spec.numericType === 'date_nanos') return BigInt(value) * BigInt(NANOS_PER_MILLI);
  if (typeof value === 'number' && !Number.isFinite(value) && isFloating) return value > 0 ? 'Infinity' : '-Infinity';
  return spec.numericType === 'long' && typeof value === 'number' ? Math.trunc(value) : value;
}

function bindTerms(spec: FieldSort, type: FieldType, context: PlanContext): SortKey {
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
    nested: spec.nested === null ? null : nestedDocsOf(spec.nested, context),
    render: (term) => format.toJson(term) as Value,
    parse: (value) => String(format.parse(value)),
  });
}
