import { type ApiError, errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { unknownField } from '../parse/options.js';

const KEY = 'retriever';
/** Options of `standard` that are sections of a search under the same name. */
const ORDER_OPTIONS = ['sort', 'search_after', 'terminate_after', 'min_score', 'collapse'];
/** Sections that say which documents are found, which a retriever says instead. */
const REPLACED = ['query', 'sub_searches', 'knn', 'rank', 'rescore', ...ORDER_OPTIONS];
const STANDARD_OPTIONS = ['query', 'filter', ...ORDER_OPTIONS];
const RRF_OPTIONS = ['retrievers', 'rank_constant', 'rank_window_size', 'window_size', 'filter'];
const SIZE_DEFAULT = 10;

/** One retriever: what it is, and its options. */
interface Named {
  readonly type: string;
  readonly options: JsonObject;
}

/**
 * Returns the search that a body with `retriever` stands for: `standard` is a query, `knn` a section `knn`, and `rrf`
 * reciprocal ranks of several of them. Clients of Elasticsearch 8.14 and later write hybrid searches so; 8.12 does not
 * know the key. `replaced`: sections that parameters of the request replace. Throws for retrievers of other kinds,
 * for options that are unknown, and for sections that a retriever takes the place of.
 */
export function withRetriever(body: JsonObject, replaced: JsonObject = {}): JsonObject {
  const { [KEY]: given, ...rest } = body;
  for (const key of REPLACED)
    if (body[key] !== undefined) throw refused(`cannot specify [${KEY}] and [${key}]`, body, key);
  const { type, options } = namedOf(given, body, KEY);
  if (type === 'standard') return { ...rest, ...standardSearch(options) };
  if (type === 'knn') return { ...rest, knn: options };
  return { ...rest, ...ranksSearch(options, { ...body, ...replaced }) };
}

function namedOf(value: unknown, container: object, key: string | number): Named {
  const location = { container, key };
  if (!isPlainObject(value))
    throw errors.parsing(`[${KEY}] malformed, expected [START_OBJECT] but found [${tokenOf(value)}]`, { location });
  const [type, ...others] = Object.keys(value);
  if (type === undefined)
    throw errors.parsing(`[${KEY}] malformed, empty clause found`, { location: { container: value, at: 'end' } });
  if (others.length > 0)
    throw refused(`[${type}] malformed, expected [END_OBJECT] but found [${others[0]}]`, value, others[0]!);
  if (type !== 'standard' && type !== 'knn' && type !== 'rrf')
    throw refused(`[${KEY}] of type [${type}] is not supported: use [standard], [knn] or [rrf]`, value, type);
  const options = value[type];
  if (isPlainObject(options)) return { type, options };
  throw errors.xContentParse(`[${type}] Expected START_OBJECT but was: ${tokenOf(options)}`, {
    location: { container: value, key: type },
  });
}

const refused = (reason: string, container: object, key: string | number): ApiError =>
  errors.parsing(reason, { location: { container, key } });

function checkOptions(type: string, options: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) throw unknownField(type, unknown, options, known);
}

function standardSearch(options: JsonObject): JsonObject {
  checkOptions('standard', options, STANDARD_OPTIONS);
  const order = ORDER_OPTIONS.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]);
  const query = filtered(options['query'], filtersOf(options));
  return { ...(query === undefined ? {} : { query }), ...Object.fromEntries(order) };
}

const filtersOf = ({ filter }: JsonObject): readonly unknown[] =>
  filter === undefined ? [] : Array.isArray(filter) ? filter : [filter];

/** A query and what its matches have to match besides; filters without a query score 0. */
function filtered(query: unknown, filters: readonly unknown[]): unknown {
  if (filters.length === 0) return query;
  return { bool: { ...(query === undefined ? {} : { must: query }), filter: filters } };
}

/** `sizes`: what tells the size of a page and its start. */
function ranksSearch(options: JsonObject, sizes: JsonObject): JsonObject {
  checkOptions('rrf', options, RRF_OPTIONS);
  const { retrievers, rank_constant: constant } = options;
  if (!Array.isArray(retrievers))
    throw errors.xContentParse(`[rrf] retrievers doesn't support values of type: ${tokenOf(retrievers)}`, {
      location: { container: options, key: 'retrievers' },
    });
  const filters = filtersOf(options);
  const children = retrievers.map((child, i) => childOf(namedOf(child, retrievers, i), filters));
  const subSearches = children.flatMap(({ query }) => (query === undefined ? [] : [{ query }]));
  const knn = children.flatMap((child) => (child.knn === undefined ? [] : [child.knn]));
  const rrf = { window_size: windowOf(options, sizes), ...(constant === undefined ? {} : { rank_constant: constant }) };
  return {
    ...(subSearches.length === 0 ? {} : { sub_searches: subSearches }),
    ...(knn.length === 0 ? {} : { knn }),
    rank: { rrf },
  };
}

/** A retriever whose hits are ranked: the filters of all are its own too. */
function childOf({ type, options }: Named, filters: readonly unknown[]): { query?: unknown; knn?: JsonObject } {
  if (type === 'rrf') throw refused('[rrf] is not supported among the retrievers of [rrf]', options, 'retrievers');
  const all = [...filters, ...filtersOf(options)];
  if (type === 'knn') return { knn: all.length === 0 ? options : { ...options, filter: all } };
  checkOptions(type, options, STANDARD_OPTIONS);
  const order = ORDER_OPTIONS.find((key) => options[key] !== undefined);
  if (order !== undefined)
    throw refused(`[${order}] is not supported by a [standard] retriever within [rrf]`, options, order);
  return { query: filtered(options['query'], all) ?? { match_all: {} } };
}

/** Hits of each list that count: those of the page, unless the request says more. */
function windowOf(options: JsonObject, { from, size }: JsonObject): unknown {
  const page = Number(from ?? 0) + Number(size ?? SIZE_DEFAULT);
  return options['rank_window_size'] ?? options['window_size'] ?? (Number.isSafeInteger(page) ? page : SIZE_DEFAULT);
}
