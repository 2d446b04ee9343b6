import { errors } from '@shoal/errors';
import { isPlainObject, type Json } from '@shoal/json';

/** Field names of the API and the fields of the documents that they mean. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['creation', 'creation_time'],
  ['expiration', 'expiration_time'],
  ['invalidated', 'api_key_invalidated'],
  ['invalidation', 'invalidation_time'],
  ['username', 'creator.principal'],
  ['realm', 'creator.realm'],
  ['_id', '_id'],
]);

function fieldOf(name: string): string {
  const field = FIELDS.get(name);
  if (field !== undefined) return field;
  if (name === 'metadata') return 'metadata_flattened';
  if (name.startsWith('metadata.')) return `metadata_flattened.${name.slice('metadata.'.length)}`;
  throw errors.illegalArgument(`Field [${name}] is not allowed for API Key query`);
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function boolQuery(body: Json): Json {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      const isClause = ['must', 'should', 'filter', 'must_not'].includes(key);
      return [key, isClause ? asList(value).map(translateQuery) : value];
    }),
  );
}

/** Translates the field name in `{field: …}`; other keys (`boost`) stay. */
function fieldQuery(type: string, body: Json): Json {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name === 'boost' || name === '_name') return [name, value];
      // The node runs the query with its own rights, not the caller's: a terms lookup would reveal values of other
      // documents.
      if (type === 'terms' && !Array.isArray(value))
        throw errors.illegalArgument('terms query with terms lookup is not supported for API Key query');
      return [fieldOf(name), value];
    }),
  );
}

/** Translates a query on `type`: all keys have the type `rest`. */
function typeQuery(body: Json): Json | null {
  if (!('type' in body)) return null;
  const value = isPlainObject(body['type']) ? body['type']['value'] : body['type'];
  return asList(value).includes('rest') ? { match_all: {} } : { match_none: {} };
}

function translateQuery(query: unknown): Json {
  if (!isPlainObject(query)) throw errors.parsing('[_na] query malformed, must start with start_object');
  const [type = '', body] = Object.entries(query)[0] ?? [];
  if (!isPlainObject(body)) throw errors.parsing(`[${type}] query malformed, no start_object after query name`);
  if (type === 'bool') return { bool: boolQuery(body) };
  if (type === 'match_all' || type === 'ids') return { [type]: body };
  if (type === 'exists') return { exists: { ...body, field: fieldOf(String(body['field'])) } };
  if (['term', 'terms', 'prefix', 'wildcard', 'range'].includes(type))
    return typeQuery(body) ?? { [type]: fieldQuery(type, body) };
  throw errors.illegalArgument(`Query type [${type}] is not supported for API Key query`);
}

/** Checks the sort order of one field: a word or options. `nested` is refused, because it contains a query. */
function orderOf(order: unknown): unknown {
  if (isPlainObject(order) && 'nested' in order)
    throw errors.illegalArgument('nested sorting is not supported for API Key query');
  return order;
}

function sortOf(sort: unknown): unknown[] {
  return asList(sort).map((entry) => {
    if (typeof entry === 'string') return fieldOf(entry);
    if (!isPlainObject(entry)) throw errors.parsing('malformed sort format');
    return Object.fromEntries(Object.entries(entry).map(([name, order]) => [fieldOf(name), orderOf(order)]));
  });
}

const KEYS = ['query', 'sort', 'from', 'size', 'search_after'];

/** The body of `_query/api_key` as a search of `.security-7`; `filters` are added clauses. */
export function keysQuery(body: Readonly<Json>, filters: readonly Json[]): Json {
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw errors.xContentParse(`[query_api_key_request] unknown field [${unknown}]`);
  const { query, sort, ...rest } = body;
  return {
    ...rest,
    track_total_hits: true,
    query: {
      bool: {
        filter: [
          { term: { doc_type: { value: 'api_key' } } },
          ...filters,
          ...(query === undefined ? [] : [translateQuery(query)]),
        ],
      },
    },
    ...(sort === undefined ? {} : { sort: sortOf(sort) }),
  };
}
