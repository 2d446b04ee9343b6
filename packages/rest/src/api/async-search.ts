import { validationError } from '@shoal/coordinator';
import { isPlainObject } from '@shoal/json';
import { formatTimeValue } from '@shoal/values';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext, jsonResponse } from './call-context.js';
import { READ_IF_GIVEN } from './search.js';
import { SEARCH_PARAMETERS, searchRequest } from './search-parameters.js';

const WAIT_MS = 1_000;
const KEEP_ALIVE_MS = 5 * 24 * 3_600_000;
const KEEP_ALIVE_MIN_MS = 1_000;

/** Whether a body asks for suggestions and nothing else. */
function asksForSuggestionsOnly(request: RestRequest): boolean {
  const body = request.json();
  if (!isPlainObject(body) || body['suggest'] === undefined || request.params.has('q')) return false;
  return ['query', 'aggs', 'aggregations', 'knn'].every((key) => body[key] === undefined);
}

function check(request: RestRequest, keepAliveMs: number): void {
  const problems = [
    ...(request.params.has('scroll') ? ['[scroll] queries are not supported'] : []),
    ...(asksForSuggestionsOnly(request) ? ['suggest-only queries are not supported'] : []),
    ...(keepAliveMs < KEEP_ALIVE_MIN_MS
      ? [`[keep_alive] must be greater or equals than 1 second, got:${formatTimeValue(keepAliveMs)}`]
      : []),
  ];
  if (problems.length > 0) throw validationError(problems);
}

async function submit(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const keepAliveMs = params.time('keep_alive', KEEP_ALIVE_MS);
  check(request, keepAliveMs);
  const search = searchRequest(request);
  const names = search.target.names.length === 0 ? '' : search.target.names.join(',');
  const submitted = {
    search: { ...search, requestCache: search.requestCache ?? true },
    waitMs: params.time('wait_for_completion_timeout', WAIT_MS),
    keepAliveMs,
    keepsOnCompletion: params.boolean('keep_on_completion', false),
    description: `async_search{indices[${names}], search_type[${search.searchType.toUpperCase()}]}`,
    headers: request.opaqueId === null ? {} : { 'X-Opaque-Id': request.opaqueId },
  };
  return jsonResponse(await services.coordinator.asyncSearch.submit(submitted, callContext(request)));
}

const idOf = (request: RestRequest): string => request.pathParams['id'] ?? '';

/** The new time to live of a search; null to leave it, as none and negative ones do. */
function keepAliveOf({ params }: RestRequest): number | null {
  const ms = params.has('keep_alive') ? params.time('keep_alive', KEEP_ALIVE_MS) : 0;
  return ms > 0 ? ms : null;
}

async function get(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const question = {
    waitMs: params.time('wait_for_completion_timeout', 0),
    keepAliveMs: keepAliveOf(request),
    typedKeys: params.optionalBoolean('typed_keys'),
  };
  return jsonResponse(await services.coordinator.asyncSearch.get(idOf(request), question, callContext(request)));
}

async function status(request: RestRequest, services: Services): Promise<RestResponse> {
  const { asyncSearch } = services.coordinator;
  return { status: 200, json: await asyncSearch.status(idOf(request), callContext(request)) };
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  await services.coordinator.asyncSearch.remove(idOf(request), callContext(request));
  return { status: 200, json: { acknowledged: true } };
}

const OWN_PARAMETERS = ['wait_for_completion_timeout', 'keep_on_completion', 'keep_alive'];

export const routes: readonly Route<Services>[] = [
  ...['/_async_search', '/{index}/_async_search'].map(
    (path): Route<Services> => ({
      methods: ['POST'],
      path,
      name: 'async_search.submit',
      body: 'optional',
      privilege: 'indices:data/read/async_search/submit',
      parameters: [...SEARCH_PARAMETERS, ...OWN_PARAMETERS],
      unhinted: READ_IF_GIVEN,
      handle: submit,
    }),
  ),
  {
    methods: ['GET'],
    path: '/_async_search/{id}',
    name: 'async_search.get',
    body: 'none',
    privilege: 'indices:data/read/async_search/get',
    parameters: ['wait_for_completion_timeout', 'keep_alive', 'typed_keys'],
    handle: get,
  },
  {
    methods: ['GET'],
    path: '/_async_search/status/{id}',
    name: 'async_search.status',
    body: 'none',
    privilege: 'cluster:monitor/async_search/status',
    parameters: [],
    handle: status,
  },
  {
    methods: ['DELETE'],
    path: '/_async_search/{id}',
    name: 'async_search.delete',
    body: 'none',
    privilege: 'indices:data/read/async_search/delete',
    parameters: [],
    handle: remove,
  },
];
