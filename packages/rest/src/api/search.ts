import { type IndicesOptions, OPEN_BY_WILDCARD, OPEN_ONLY } from '@shoal/state';
import type { SearchRequest } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { INDICES_PARAMETERS, indicesOptions } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext, jsonResponse } from './call-context.js';
import { QUERY_PARAMETERS, queryParameter } from './query-parameters.js';
import { SEARCH_PARAMETERS, indexExpression, searchRequest, READ_WITH_Q } from './search-parameters.js';

async function search(request: RestRequest, services: Services): Promise<RestResponse> {
  return jsonResponse(await services.coordinator.search(searchRequest(request), callContext(request)));
}

/** A search of which only query and indices are used. */
function queryRequest(request: RestRequest, overrides: Record<string, unknown>): SearchRequest {
  const { params } = request;
  return {
    target: indexExpression(request),
    namedIndicesOptions: false,
    body: request.jsonBody(),
    json: undefined,
    overrides,
    searchType: 'query_then_fetch',
    routing: params.text('routing'),
    preference: params.text('preference'),
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

function countOverrides(request: RestRequest): Record<string, unknown> {
  const { params } = request;
  const query = queryParameter(request);
  const minScore = params.text('min_score');
  const terminateAfter = params.integer('terminate_after', 0);
  if (terminateAfter < 0) throw errors.illegalArgument('terminateAfter must be > 0');
  return {
    ...(query ? { query } : {}),
    ...(minScore === null ? {} : { min_score: Number(minScore) }),
    ...(terminateAfter > 0 ? { terminate_after: terminateAfter } : {}),
  };
}

async function count(request: RestRequest, services: Services): Promise<RestResponse> {
  return jsonResponse(
    await services.coordinator.count(queryRequest(request, countOverrides(request)), callContext(request)),
  );
}

async function validate(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const query = queryParameter(request);
  const options = {
    explain: params.boolean('explain', false),
    rewrite: params.boolean('rewrite', false),
    allShards: params.boolean('all_shards', false),
  };
  return jsonResponse(
    await services.coordinator.validate(queryRequest(request, query ? { query } : {}), options, callContext(request)),
  );
}

/** Returns what searches of a request have in common: indices, options, and the parameters of the call. */
export function multiSearchDefaults(request: RestRequest): SearchRequest {
  const { params } = request;
  const searchType = params.text('search_type');
  return {
    ...queryRequest(request, {}),
    ...(searchType === 'dfs_query_then_fetch' ? { searchType } : {}),
    target: { names: params.list('index') ?? [], options: indicesOptions(request, OPEN_ONLY) },
    typedKeys: params.boolean('typed_keys', false),
    totalHitsAsInt: params.boolean('rest_total_hits_as_int', false),
  };
}

type MultiSearchRequest = Parameters<Services['coordinator']['multiSearch']>[0];

/** The request of `_msearch`, or of `_msearch/template` if `hasTemplates`. */
function multiSearchRequest(request: RestRequest, services: Services, hasTemplates: boolean): MultiSearchRequest {
  if (!request.hasBody) throw errors.parse('request body or source parameter is required');
  const { params } = request;
  const nodes = services.cluster.state().nodes.size;
  const maxConcurrentSearches = params.integer('max_concurrent_searches', Math.max(1, nodes * 10));
  if (maxConcurrentSearches < 1) throw errors.illegalArgument('maxConcurrentSearchRequests must be positive');
  return { body: request.rawBody, hasTemplates, defaults: multiSearchDefaults(request), maxConcurrentSearches };
}

/** Runs `_msearch`, or `_msearch/template` if the bodies of the searches are templates. */
export async function multiSearch(
  request: RestRequest,
  services: Services,
  hasTemplates: boolean,
): Promise<RestResponse> {
  const wanted = multiSearchRequest(request, services, hasTemplates);
  return jsonResponse(await services.coordinator.multiSearch(wanted, callContext(request)));
}

/** Missing indices are left out unless asked about; closed ones are shown. */
const SEARCH_SHARDS_OPTIONS: IndicesOptions = { ...OPEN_BY_WILDCARD, ignoreUnavailable: true };

function searchShards(request: RestRequest, services: Services): RestResponse {
  const { params } = request;
  return {
    status: 200,
    json: services.coordinator.searchShards(
      indexExpression(request, SEARCH_SHARDS_OPTIONS),
      params.text('routing'),
      params.text('preference'),
      callContext(request),
    ),
  };
}

const BOTH = (name: string): string[] => [`/${name}`, `/{index}/${name}`];
const READ = 'indices:data/read';
/** Parameters of a search that 8.12 reads only if they are given: hints do not name them. */
export const READ_IF_GIVEN: readonly string[] = [
  ...['from', 'size', 'track_total_hits', 'track_scores', 'version', 'explain', 'terminate_after', 'timeout'],
  ...['seq_no_primary_term', 'pre_filter_shard_size', 'max_concurrent_shard_requests'],
  ...['allow_partial_search_results', 'min_compatible_shard_node'],
];
const COUNT_PARAMETERS = [
  ...INDICES_PARAMETERS,
  ...QUERY_PARAMETERS,
  'index',
  'min_score',
  'terminate_after',
  'routing',
  'preference',
];

/** As `READ_IF_GIVEN`, of `_msearch` and `_msearch/template`. */
export const MULTI_READ_IF_GIVEN = ['preference', 'pre_filter_shard_size', 'max_concurrent_shard_requests'];

/** Parameters of `_msearch` and `_msearch/template`. */
export const MULTI_SEARCH_PARAMETERS: readonly string[] = [
  ...INDICES_PARAMETERS,
  'index',
  'search_type',
  'max_concurrent_searches',
  'max_concurrent_shard_requests',
  'pre_filter_shard_size',
  'typed_keys',
  'rest_total_hits_as_int',
  'ccs_minimize_roundtrips',
];

export const routes: readonly Route<Services>[] = [
  ...BOTH('_search').map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'search',
      body: 'optional',
      privilege: `${READ}/search`,
      parameters: SEARCH_PARAMETERS,
      unhinted: READ_IF_GIVEN,
      checkBody: (request, { coordinator }) => coordinator.checkSearch(searchRequest(request)),
      handle: search,
    }),
  ),
  ...BOTH('_count').map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'count',
      body: 'optional',
      privilege: `${READ}/search`,
      parameters: COUNT_PARAMETERS,
      checkBody: (request, { coordinator }) => coordinator.checkQuery(request.jsonBody()),
      handle: count,
    }),
  ),
  ...BOTH('_validate/query').map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'indices.validate_query',
      body: 'optional',
      privilege: 'indices:admin/validate/query',
      parameters: [...INDICES_PARAMETERS, ...QUERY_PARAMETERS, 'index', 'explain', 'rewrite', 'all_shards'],
      unhinted: READ_WITH_Q,
      handle: validate,
    }),
  ),
  ...BOTH('_msearch').map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'msearch',
      body: 'optional',
      largeBody: 'raw',
      privilege: `${READ}/msearch`,
      parameters: MULTI_SEARCH_PARAMETERS,
      unhinted: MULTI_READ_IF_GIVEN,
      checkBody: (request, services) =>
        services.coordinator.checkMultiSearch(multiSearchRequest(request, services, false), callContext(request)),
      handle: (request, services) => multiSearch(request, services, false),
    }),
  ),
  ...BOTH('_search_shards').map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'search_shards',
      body: 'none',
      privilege: 'indices:admin/shards/search_shards',
      parameters: [...INDICES_PARAMETERS, 'index', 'routing', 'preference', 'local'],
      handle: searchShards,
    }),
  ),
];
