import { OPEN_ONLY } from '@shoal/state';
import type { SearchRequest } from './search-request.js';

/** A search of the node itself: without parameters, and all of its shards must answer. `body` is JSON. */
export function wholeSearch(names: readonly string[], body: Uint8Array): SearchRequest {
  return {
    target: { names, options: OPEN_ONLY },
    namedIndicesOptions: false,
    body,
    overrides: {},
    searchType: 'query_then_fetch',
    routing: null,
    preference: null,
    typedKeys: false,
    totalHitsAsInt: false,
    scrollMs: null,
    allowPartialResults: false,
    requestCache: false,
    maxConcurrentShardRequests: 5,
    includeNamedQueriesScore: false,
  };
}
