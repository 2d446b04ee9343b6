import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { distanceUnitMeters, parseGeoPoint } from '@shoal/values';
import { any, boolean, int, type OptionPlace, type Reader, text, unknownField } from '../parse/options.js';
import { parseField } from '../parse/parse-field.js';
import { parseQuery } from '../parse/parse-query.js';
import type { ParseContext } from '../parsed-query.js';
import { isPlane } from '../queries/geo-distance.js';
import type { FieldSort, GeoDistanceSort, NestedSort, SortMode, SortOrder, SortSpec } from './sort-spec.js';

/** Limit on criteria: each has keys of its own for the best hits and for the documents of a window. */
const SORTS_MAX = 1024;

/**
 * Parses the `sort` of a search body: a field, an object of fields, or an array of those. Empty for the default order.
 */
export function parseSort(json: unknown, context: ParseContext): readonly SortSpec[] {
  if (json === undefined || json === null) return [];
  const items = Array.isArray(json) ? json : [json];
  const specs = items.flatMap((item, i) => parseItem(item, Array.isArray(json) ? json : {}, i, context));
  if (specs.length > SORTS_MAX)
    throw errors.illegalArgument(
      `Trying to sort by too many criteria. Must be less than or equal to: [${SORTS_MAX}] but was [${specs.length}]`,
    );
  return specs;
}

function parseItem(item: unknown, container: object, key: number, context: ParseContext): SortSpec[] {
  if (typeof item === 'string') return [named(item, undefined, container, key, context)];
  if (isPlainObject(item)) return Object.keys(item).map((field) => named(field, item[field], item, field, context));
  throw errors.illegalArgument(
    'malformed sort format, within the sort array, an object, or an actual string are allowed',
  );
}

function named(
  field: string,
  value: unknown,
  container: object,
  key: string | number,
  context: ParseContext,
): SortSpec {
  const body: JsonObject = isPlainObject(value) ? value : value === undefined ? {} : { order: value };
  const inner = isPlainObject(value) ? value : container;
  switch (field) {
    case '_score':
      return { kind: 'score', order: onlyOrder('_score', body, 'desc') };
    case '_doc':
    case '_shard_doc':
      return {
        kind: 'doc',
        order: field === '_doc' ? fieldSort(field, body, context).order : onlyOrder(field, body, 'asc'),
        acrossShards: field === '_shard_doc',
      };
    case '_geo_distance':
    case '_geoDistance':
      return geoDistanceSort(body, context);
    case '_script':
      throw errors.parsing('[_script] sort is not supported: scripts are not available in search', {
        location: { container: inner, key },
      });
    default:
      return fieldSort(field, body, context);
  }
}

function onlyOrder(type: string, body: JsonObject, fallback: SortOrder): SortOrder {
  const { order } = readDeclared(type, body, { order: sortOrder });
  return order ?? fallback;
}

const sortOrder: Reader<SortOrder> = (value, place) => {
  const name = text(value, place).toUpperCase();
  if (name === 'ASC' || name === 'DESC') return name === 'ASC' ? 'asc' : 'desc';
  throw errors.illegalArgument(`No enum constant org.elasticsearch.search.sort.SortOrder.${name}`);
};

const MODES: readonly string[] = ['min', 'max', 'sum', 'avg', 'median'];

const sortMode: Reader<SortMode> = (value, place) => {
  const name = text(value, place).toLowerCase();
  if (MODES.includes(name)) return name as SortMode;
  throw errors.illegalArgument(`Unknown SortMode [${text(value, place)}]`);
};

const NUMERIC_TYPES = ['long', 'double', 'date', 'date_nanos'];

const numericType: Reader<string> = (value, place) => {
  const name = text(value, place).toLowerCase();
  if (NUMERIC_TYPES.includes(name)) return name;
  throw errors.illegalArgument(
    `invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${name}`,
  );
};

type Readers = Readonly<Record<string, Reader<unknown>>>;
type DeclaredOptions<R extends Readers> = { readonly [K in keyof R]?: ReturnType<R[K]> };

/**
 * Parses the options of one of Elasticsearch's declarative parsers. An unknown option is refused by name; failures are
 * wrapped with the field's name.
 */
function readDeclared<R extends Readers>(type: string, body: JsonObject, readers: R): DeclaredOptions<R> {
  const found: Record<string, unknown> = {};
  for (const key of Object.keys(body)) {
    const reader = Object.hasOwn(readers, key) ? readers[key]! : null;
    if (reader === null) throw unknownField(type, key, body, Object.keys(readers));
    found[key] = parseField(type, body, key, () => reader(body[key], { type, container: body, key }));
  }
  return found as DeclaredOptions<R>;
}

function fieldSort(field: string, body: JsonObject, context: ParseContext): FieldSort {
  const options = readDeclared('field_sort', body, {
    order: sortOrder,
    missing: any,
    mode: sortMode,
    unmapped_type: text,
    numeric_type: numericType,
    format: text,
    nested: nestedReader(context),
  });
  return {
    kind: 'field',
    field,
    order: options.order ?? 'asc',
    missing: options.missing ?? '_last',
    mode: options.mode ?? null,
    unmappedType: options.unmapped_type ?? null,
    numericType: options.numeric_type ?? null,
    format: options.format ?? null,
    nested: options.nested ?? null,
  };
}

function nestedReader(context: ParseContext): Reader<NestedSort> {
  const read = (value: unknown, place: OptionPlace): NestedSort => {
    if (!isPlainObject(value))
      throw errors.parsing('[nested] must be an object', { location: { container: place.container, key: place.key } });
    const known = ['path', 'filter', 'max_children', 'nested'];
    const unknown = Object.keys(value).find((key) => !known.includes(key));
    if (unknown !== undefined) throw unknownField('nested_sort', unknown, value, known);
    if (typeof value.path !== 'string') throw errors.illegalArgument('Required [path]');
    return {
      path: value.path,
      filter: value.filter === undefined ? null : parseQuery(value.filter, context),
      maxChildren:
        value.max_children === undefined
          ? null
          : int(value.max_children, { ...place, container: value, key: 'max_children' }),
      nested: value.nested === undefined ? null : read(value.nested, { ...place, container: value, key: 'nested' }),
    };
  };
  return read;
}

function geoDistanceSort(body: JsonObject, context: ParseContext): GeoDistanceSort {
  const readers: Readers = {
    order: sortOrder,
    unit: text,
    mode: sortMode,
    distance_type: text,
    validation_method: any,
    ignore_unmapped: boolean,
    nested: nestedReader(context),
  };
  const options: Record<string, unknown> = {};
  let field: string | null = null;
  let points: GeoDistanceSort['points'] = [];
  for (const key of Object.keys(body)) {
    const reader = Object.hasOwn(readers, key) ? readers[key]! : null;
    if (reader !== null) options[key] = reader(body[key], { type: '_geo_distance', container: body, key });
    else if (field !== null)
      throw errors.illegalArgument(`Trying to reset fieldName to [${key}], already set to [${field}].`);
    else {
      field = key;
      points = parseGeoPoint(body[key]);
    }
  }
  return geoSpec(field, points, options);
}

function geoSpec(
  field: string | null,
  points: GeoDistanceSort['points'],
  options: Record<string, unknown>,
): GeoDistanceSort {
  const order = (options.order as SortOrder | undefined) ?? 'asc';
  if (options.mode === 'sum')
    throw errors.illegalArgument("sort_mode [sum] isn't supported for sorting by geo distance");
  if (field === null || points.length === 0)
    throw errors.illegalArgument('Geo distance sorting needs at least one point.');
  return {
    kind: 'geoDistance',
    field,
    points,
    order,
    unitMeters: distanceUnitMeters((options.unit as string | undefined) ?? 'm'),
    mode: (options.mode as SortMode | undefined) ?? (order === 'asc' ? 'min' : 'max'),
    plane: isPlane((options.distance_type as string | undefined) ?? 'arc'),
    ignoreUnmapped: (options.ignore_unmapped as boolean | undefined) ?? false,
    nested: (options.nested as NestedSort | undefined) ?? null,
  };
}
