import type { IndexExpression } from '../../index-expression.js';

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
  readonly isLookedUp?: boolean;
  /** Keys of the body that parameters replace. */
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly searchType: 'query_then_fetch' | 'dfs_query_then_fetch';
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
  readonly preFilterShardSize?: number;
  readonly includeNamedQueriesScore: boolean;
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
