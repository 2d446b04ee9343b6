import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, stringify } from '@shoal/json';
import { warningHeader } from '../admin/warning-header.js';
import { INDICES_PARAMETERS } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext, jsonResponse } from './call-context.js';
import { searchRequest } from './search-parameters.js';

const DEPRECATION = 'The kNN search API has been replaced by the `knn` option in the search API.';

/** Sections of a search that the call takes. */
const SECTIONS = ['_source', 'fields', 'docvalue_fields', 'stored_fields'];
const KNN_KEYS = ['field', 'query_vector', 'k', 'num_candidates'];
const CANDIDATES_MAX = 10_000;

/** A positive whole number of `knn`. */
function count(knn: JsonObject, key: string): number {
  const value = Number(knn[key]);
  if (!Number.isInteger(value)) throw errors.xContentParse(`[knn] failed to parse field [${key}]`);
  return value;
}

/**
 * Returns the search that a body asks for: each shard finds its `num_candidates` nearest documents, and the `k` best of
 * all are the hits. Throws errors in 8.12's words.
 */
export function searchOfKnn(body: unknown): JsonObject {
  if (!isPlainObject(body)) throw errors.parsing('Expected [START_OBJECT] but found no object');
  const unknown = Object.keys(body).find((key) => !['knn', 'filter', ...SECTIONS].includes(key));
  if (unknown !== undefined) throw errors.xContentParse(`[knn-search] unknown field [${unknown}]`);
  const { knn, filter } = body;
  if (!isPlainObject(knn)) throw errors.illegalArgument('Required [knn]');
  const other = Object.keys(knn).find((key) => !KNN_KEYS.includes(key));
  if (other !== undefined) throw errors.xContentParse(`[knn] unknown field [${other}]`);
  const missing = KNN_KEYS.filter((key) => knn[key] === undefined);
  if (missing.length > 0) throw errors.illegalArgument(`Required [${missing.join(', ')}]`);
  const [k, candidates] = [count(knn, 'k'), count(knn, 'num_candidates')];
  if (k < 1) throw errors.illegalArgument('[k] must be greater than 0');
  if (candidates < k) throw errors.illegalArgument('[num_candidates] cannot be less than [k]');
  if (candidates > CANDIDATES_MAX) throw errors.illegalArgument('[num_candidates] cannot exceed [10000]');
  const { k: _, ...query } = knn;
  return {
    query: { knn: { ...query, ...(filter === undefined ? {} : { filter }) } },
    size: k,
    ...Object.fromEntries(SECTIONS.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]]))),
  };
}

async function knnSearch(request: RestRequest, services: Services): Promise<RestResponse> {
  if (!request.hasBody) throw errors.parse('request body or source parameter is required');
  const body = Buffer.from(stringify(searchOfKnn(request.json())));
  const { json: _, ...asked } = searchRequest(request);
  const answer = jsonResponse(await services.coordinator.search({ ...asked, body }, callContext(request)));
  return { ...answer, headers: { ...answer.headers, ...warningHeader(DEPRECATION) } };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET', 'POST'],
    path: '/{index}/_knn_search',
    name: 'knn_search',
    body: 'optional',
    privilege: 'indices:data/read/search',
    parameters: [...INDICES_PARAMETERS, 'routing'],
    handle: knnSearch,
  },
];
