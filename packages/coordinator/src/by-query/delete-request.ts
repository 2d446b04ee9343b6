import type { JsonObject } from '@shoal/json';
import { OPEN_ONLY } from '@shoal/state';
import type { ByQueryRequest } from './by-query-request.js';

const TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 300_000;
const PAGE_SIZE = 1000;

/** The request that deletes the documents of an index that match a query, so that searches see it. */
export function deleteRequest(index: string, query: JsonObject): ByQueryRequest {
  return {
    kind: 'delete',
    source: { names: [index], options: OPEN_ONLY },
    remote: null,
    search: { query },
    routing: null,
    preference: null,
    target: null,
    script: null,
    pipeline: null,
    proceedsOnConflict: true,
    maxDocs: null,
    pageSize: PAGE_SIZE,
    slices: 1,
    requestsPerSecond: Infinity,
    refresh: true,
    timeoutMs: TIMEOUT_MS,
    waitForActiveShards: null,
    keepAliveMs: KEEP_ALIVE_MS,
  };
}
