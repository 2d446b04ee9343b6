import type { IndexExpression } from '../../index-expression.js';

/** A body, and its value if it was parsed before. */
export interface LookedUpBody {
  readonly body: Uint8Array;
  readonly json?: unknown;
  /** Whether the values of other documents are in the body already. */
  readonly isLookedUp?: boolean | undefined;
}

/** A search as the REST layer passes it: the raw body and the parameters. */
export interface SearchRequest {
  readonly target: IndexExpression;
  /** Whether the request has indices options, which a point in time refuses. */
  readonly namedIndicesOptions: boolean;
  /** Body as JSON; empty for `{}`. */
  readonly body: Uint8Array;
  /** The value of `body`, if it was parsed before, as large ones are in turns; else undefined. */
  readonly json?: unknown;
  /** Whether `body` has the values of other documents in it that it was made with, which are not looked up again. */
  readonly isLookedUp?: boolean | undefined;
  /** Keys of the body that parameters replace. */
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly searchType: 'query_then_fetch' | 'dfs_query_then_fetch';
  /** Whether the call names the type, which a search with `knn` may not. */
  readonly namesSearchType?: boolean | undefined;
  readonly routing: string | null;
  readonly preference: string | null;
  readonly typedKeys: boolean;
  readonly totalHitsAsInt: boolean;
  /** Keep-alive of the scroll in milliseconds; null for no scroll. */
  readonly scrollMs: number | null;
  /** Whether partial results are allowed; null for `search.default_allow_partial_results`. */
  readonly allowPartialResults: boolean | null;
  readonly requestCache: boolean | null;
  readonly maxConcurrentShardRequests: number;
  /** Searches of more shards have a can_match phase; default 128. */
  readonly preFilterShardSize?: number | undefined;
  readonly includeNamedQueriesScore: boolean;
  /** Whether the search finds documents for `lookup` fields of another; such fields of its own stay out of its hits. */
  readonly isLookup?: boolean | undefined;
}

/**
 * Returns a search with another body. Its properties are written out: where some of a spread object's are replaced, V8
 * calls its runtime for each, and the object then slows all that reads it (30 us of a count of 100).
 */
export function withBody(
  request: SearchRequest,
  { body, json, isLookedUp }: LookedUpBody,
  overrides: SearchRequest['overrides'] = request.overrides,
): SearchRequest {
  return {
    target: request.target,
    namedIndicesOptions: request.namedIndicesOptions,
    body,
    json,
    overrides,
    searchType: request.searchType,
    namesSearchType: request.namesSearchType,
    routing: request.routing,
    preference: request.preference,
    typedKeys: request.typedKeys,
    totalHitsAsInt: request.totalHitsAsInt,
    scrollMs: request.scrollMs,
    allowPartialResults: request.allowPartialResults,
    requestCache: request.requestCache,
    maxConcurrentShardRequests: request.maxConcurrentShardRequests,
    preFilterShardSize: request.preFilterShardSize,
    includeNamedQueriesScore: request.includeNamedQueriesScore,
    isLookedUp,
    isLookup: request.isLookup,
  };
}

/** A request of `_msearch`. */
export interface MultiSearchRequest {
  /** Newline-delimited headers and bodies. */
  readonly body: Uint8Array;
  /** Whether the bodies are templates. */
  readonly hasTemplates: boolean;
  /** Defaults of each search; the `body` is ignored. */
  readonly defaults: SearchRequest;
  readonly maxConcurrentSearches: number;
}

/** A request for the next page of a scroll. */
export interface ScrollRequest {
  readonly scrollId: string;
  /** New keep-alive in milliseconds; null to keep the present one. */
  readonly keepAliveMs: number | null;
  readonly totalHitsAsInt: boolean;
}
