import { type IndicesOptions, OPEN_ONLY } from '@shoal/state';
import { type IndexExpression, type SearchRequest, parseSearchType } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { INDICES_PARAMETERS, indicesOptions } from '../admin/index-options.js';
import type { RestRequest } from '../routing/route.js';
import { QUERY_PARAMETERS, queryParameter } from './query-parameters.js';
import { SOURCE_PARAMETERS, sourceParameters } from './source-parameters.js';

/** Parameters of `_search`. */
export const SEARCH_PARAMETERS: readonly string[] = [
  ...INDICES_PARAMETERS,
  ...QUERY_PARAMETERS,
  ...SOURCE_PARAMETERS,
  'index',
  'from',
  'size',
  'sort',
  'stored_fields',
  'docvalue_fields',
  'terminate_after',
  'timeout',
  'track_total_hits',
  'track_scores',
  'version',
  'seq_no_primary_term',
  'explain',
  'stats',
  'scroll',
  'search_type',
  'routing',
  'preference',
  'request_cache',
  'typed_keys',
  'rest_total_hits_as_int',
  'allow_partial_search_results',
  'batched_reduce_size',
  'pre_filter_shard_size',
  'max_concurrent_shard_requests',
  'ccs_minimize_roundtrips',
  'suggest_field',
  'suggest_mode',
  'suggest_size',
  'suggest_text',
  'include_named_queries_score',
  'force_synthetic_source',
  'min_compatible_shard_node',
];

/** Parameters that 8.12 reads only beside `q`: hints do not name them. */
export const READ_WITH_Q: readonly string[] = ['df', 'default_operator', 'analyze_wildcard', 'analyzer', 'lenient'];

/** The `{index}` of a call with its indices options. */
export function indexExpression(request: RestRequest, defaults: IndicesOptions = OPEN_ONLY): IndexExpression {
  return { names: request.params.list('index') ?? [], options: indicesOptions(request, defaults) };
}

type Overrides = Record<string, unknown>;

function setBoolean(request: RestRequest, overrides: Overrides, name: string): void {
  const value = request.params.optionalBoolean(name);
  if (value !== null) overrides[name] = value;
}

function setSize(request: RestRequest, overrides: Overrides): void {
  const { params } = request;
  if (params.has('from')) overrides['from'] = params.integer('from', 0);
  if (params.has('size')) overrides['size'] = params.integer('size', 0);
  if (params.has('terminate_after')) overrides['terminate_after'] = params.integer('terminate_after', 0);
}

function sortEntry(text: string): unknown {
  const colon = text.lastIndexOf(':');
  if (colon <= 0) return text;
  const field = text.slice(0, colon);
  const order = text.slice(colon + 1);
  if (order !== 'asc' && order !== 'desc') throw errors.illegalArgument(`Unknown sort order [${order}]`);
  return { [field]: order };
}

function setFetch(request: RestRequest, overrides: Overrides): void {
  const { params } = request;
  const source = sourceParameters(request);
  if (source !== null) overrides['_source'] = source;
  const storedFields = params.list('stored_fields');
  if (storedFields) overrides['stored_fields'] = storedFields;
  const docvalueFields = params.list('docvalue_fields');
  if (docvalueFields) overrides['docvalue_fields'] = docvalueFields;
  const sort = params.list('sort');
  if (sort) overrides['sort'] = sort.map(sortEntry);
  const stats = params.list('stats');
  if (stats) overrides['stats'] = stats;
}

function trackTotalHits(request: RestRequest): boolean | number | null {
  const text = request.params.text('track_total_hits');
  if (text === null) return null;
  if (text === '' || text === 'true') return true;
  return text === 'false' ? false : request.params.integer('track_total_hits', 0);
}

function setSuggest(request: RestRequest, overrides: Overrides): void {
  const { params } = request;
  const field = params.text('suggest_field');
  const text = params.text('suggest_text') ?? params.text('q');
  const size = params.integer('suggest_size', 5);
  const mode = params.text('suggest_mode', 'missing').toLowerCase();
  if (field === null) return;
  if (text === null) throw errors.nullPointer('Input string is null');
  overrides['suggest'] = { [field]: { text, term: { field, size, suggest_mode: mode } } };
}

/** Members of the search body that parameters override. */
export function bodyOverrides(request: RestRequest): Overrides {
  const overrides: Overrides = {};
  const query = queryParameter(request);
  if (query) overrides['query'] = query;
  setSize(request, overrides);
  setFetch(request, overrides);
  for (const name of ['explain', 'version', 'seq_no_primary_term', 'track_scores'])
    setBoolean(request, overrides, name);
  const total = trackTotalHits(request);
  if (total !== null) overrides['track_total_hits'] = total;
  const timeout = request.params.text('timeout');
  if (timeout !== null) {
    request.params.time('timeout', 0);
    overrides['timeout'] = timeout;
  }
  setSuggest(request, overrides);
  return overrides;
}

/** The version whose answers the nodes give. */
const NODE_VERSION = [8, 12, 0];

function checkNodeVersion(text: string | null): void {
  if (text === null) return;
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number);
  if (!parts)
    throw errors.illegalArgument(
      `the version needs to contain major, minor, and revision, and optionally the build: ${text}`,
    );
  const at = parts.findIndex((part, i) => part !== NODE_VERSION[i]);
  if (at >= 0 && parts[at]! > NODE_VERSION[at]!)
    throw errors.illegalArgument(`One of the shards is incompatible with the required minimum version [${text}]`);
}

function checkLimits(request: RestRequest): void {
  const { params } = request;
  if (params.integer('batched_reduce_size', 512) < 2) throw errors.illegalArgument('batchedReduceSize must be >= 2');
  if (params.integer('pre_filter_shard_size', 128) < 1) throw errors.illegalArgument('preFilterShardSize must be >= 1');
  params.boolean('ccs_minimize_roundtrips', true);
  checkNodeVersion(params.text('min_compatible_shard_node'));
}

function concurrentShardRequests(request: RestRequest): number {
  const count = request.params.integer('max_concurrent_shard_requests', 5);
  if (count < 1) throw errors.illegalArgument('maxConcurrentShardRequests must be >= 1');
  return count;
}

const NO_OVERRIDES: Overrides = {};
/**
 * The request of a search without parameters. Its properties are those of other searches, in the same order: all that
 * reads a request is faster where all requests have one shape.
 */
export function plainSearch(target: SearchRequest['target'], body: Uint8Array, json: unknown): SearchRequest {
  return {
    target,
    namedIndicesOptions: false,
    body,
    json,
    overrides: NO_OVERRIDES,
    searchType: 'query_then_fetch',
    routing: null,
    preference: null,
    typedKeys: false,
    totalHitsAsInt: false,
    scrollMs: null,
    allowPartialResults: null,
    requestCache: null,
    maxConcurrentShardRequests: 5,
    preFilterShardSize: 128,
    includeNamedQueriesScore: false,
  };
}

/** The search request of a call's parameters and body. */
export function searchRequest(request: RestRequest): SearchRequest {
  const { params } = request;
  if (!request.hasQuery)
    return plainSearch(
      { names: params.list('index') ?? [], options: OPEN_ONLY },
      request.jsonBody(),
      request.parsedBody,
    );
  checkLimits(request);
  const searchType = params.text('search_type');
  return {
    target: indexExpression(request),
    namedIndicesOptions: INDICES_PARAMETERS.some((name) => params.has(name)),
    body: request.jsonBody(),
    json: request.parsedBody,
    overrides: bodyOverrides(request),
    searchType: searchType === null ? 'query_then_fetch' : parseSearchType(searchType),
    namesSearchType: searchType !== null,
    routing: params.text('routing'),
    preference: params.text('preference'),
    typedKeys: params.boolean('typed_keys', false),
    totalHitsAsInt: params.boolean('rest_total_hits_as_int', false),
    scrollMs: params.has('scroll') ? params.time('scroll', 0) : null,
    allowPartialResults: params.optionalBoolean('allow_partial_search_results'),
    requestCache: params.optionalBoolean('request_cache'),
    maxConcurrentShardRequests: concurrentShardRequests(request),
    preFilterShardSize: params.integer('pre_filter_shard_size', 128),
    includeNamedQueriesScore: params.boolean('include_named_queries_score', false),
  };
}
