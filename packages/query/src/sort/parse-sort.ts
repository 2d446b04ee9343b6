import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { type ErrorLocation, errors } from '@shoal/errors';
import { objectField, readDeclared, stringField, valueField } from '../parse/declared.js';
import { any, type Reader, text } from '../parse/options.js';
import type { ParseContext } from '../parsed-query.js';
import { parseGeoSort } from './parse-geo-sort.js';
import { parseNestedSort } from './parse-nested-sort.js';
import { parseScriptSort } from './parse-script-sort.js';
import { sortMode, sortOrder } from './sort-options.js';
import type { FieldSort, SortOrder, SortSpec } from './sort-spec.js';

/** Limit on criteria: each has keys of its own for the best hits and for the documents of a window. */
const SORTS_MAX = 1024;

/**
 * Parses the `sort` of a search body: a field, an object of fields, or an array of those. Empty for the default order.
 */
export function parseSort(json: unknown, context: ParseContext): readonly SortSpec[] {
  if (json === undefined || json === null) return [];
  const isScalar = typeof json !== 'object';
  const items: readonly unknown[] = Array.isArray(json) ? json : [isScalar ? String(json) : json];
  // Counted before they are read, and read again for the place of an error.
  const count = items.reduce<number>((sum, item) => sum + (isPlainObject(item) ? Object.keys(item).length : 1), 0);
  if (count > SORTS_MAX)
    throw errors.illegalArgument(
      `Trying to sort by too many criteria. Must be less than or equal to: [${SORTS_MAX}] but was [${count}]`,
    );
  return items.flatMap((item, i) => parseItem(item, { container: items, key: i }, context));
}

function parseItem(item: unknown, parserAt: ErrorLocation, context: ParseContext): SortSpec[] {
  const isName = typeof item === 'string';
  if (isName && item.startsWith('_geo')) return [fieldSort(item, {}, context)];
  if (isName) return [named(item, {}, context)];
  if (isPlainObject(item)) return Object.keys(item).map((field) => named(field, optionsOf(field, item), context));
  const error = errors.illegalArgument(
    'malformed sort format, within the sort array, an object, or an actual string are allowed',
  );
  error.parserAt = parserAt;
  throw error;
}

/** Returns the options of a field in `{field: options}` or `{field: order}`. */
function optionsOf(field: string, item: JsonObject): JsonObject {
  const value = item[field];
  if (isPlainObject(value)) return value;
  if (typeof value === 'string') return { order: value };
  if (field === '_geo_distance') throw errors.illegalArgument('Geo distance sorting needs at least one point.');
  const type = field === '_score' ? '_score' : 'field_sort';
  throw errors.xContentParse(`[${type}] Expected START_OBJECT but was: ${tokenAfter(item, field)}`, {
    location: { container: item, key: field, at: 'next' },
  });
}

/** Returns the name of the token that follows the first one of an object's value: where 8.12 finds it unexpected. */
function tokenAfter(item: JsonObject, key: string): string {
  const value = item[key];
  if (Array.isArray(value)) return value.length === 0 ? 'END_ARRAY' : tokenOf(value[0]);
  return Object.keys(item).at(-1) === key ? 'END_OBJECT' : 'FIELD_NAME';
}

function named(field: string, body: JsonObject, context: ParseContext): SortSpec {
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
      return parseGeoSort(body, context);
    case '_script':
      return parseScriptSort(body, context);
    default:
      return fieldSort(field, body, context);
  }
}

function onlyOrder(type: string, body: JsonObject, fallback: SortOrder): SortOrder {
  const { order } = readDeclared(type, body, { order: stringField(sortOrder) });
  return order ?? fallback;
}

const NUMERIC_TYPES = ['long', 'double', 'date', 'date_nanos'];

const numericType: Reader<string> = (value, place) => {
  const name = text(value, place).toLowerCase();
  if (NUMERIC_TYPES.includes(name)) return name;
  throw errors.illegalArgument(
    `invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${name}`,
  );
};

const FIELD_OPTIONS = {
  order: stringField(sortOrder),
  missing: valueField(any),
  mode: stringField(sortMode),
  unmapped_type: stringField(text),
  numeric_type: stringField(numericType),
  format: stringField(text),
};

function fieldSort(field: string, body: JsonObject, context: ParseContext): FieldSort {
  const nested = objectField((value) => parseNestedSort(value, context));
  const options = readDeclared('field_sort', body, { ...FIELD_OPTIONS, nested });
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
