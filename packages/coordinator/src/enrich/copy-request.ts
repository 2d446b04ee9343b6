import type { JsonObject } from '@shoal/json';
import { OPEN_ONLY } from '@shoal/state';
import type { ByQueryRequest } from '../by-query/by-query-request.js';

const PAGE_SIZE = 1000;
const TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 300_000;

/** Describes reading documents of indices, and writing them to `target` if that is not null. */
export function copyRequest(names: readonly string[], search: JsonObject, target: string | null): ByQueryRequest {
  return {
    kind: 'reindex',
    source: { names, options: OPEN_ONLY },
    remote: null,
    search,
    routing: null,
    preference: null,
    target: target === null ? null : newTarget(target),
    script: null,
    pipeline: null,
    proceedsOnConflict: false,
    maxDocs: null,
    pageSize: PAGE_SIZE,
    slices: 1,
    requestsPerSecond: Infinity,
    refresh: false,
    timeoutMs: TIMEOUT_MS,
    waitForActiveShards: null,
    keepAliveMs: KEEP_ALIVE_MS,
  };
}

function newTarget(index: string): NonNullable<ByQueryRequest['target']> {
  return { index, opType: 'index', versionType: 'internal', routing: 'discard', requireAlias: false };
}
