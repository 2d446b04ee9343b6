import type { IndexExpression } from '../../index-expression.js';

/** A search as REST hands it over: raw body, and what came as parameters. */
export interface SearchRequest {
  readonly target: IndexExpression;
  /** True when the caller named indices options, which a point in time refuses. */
  readonly namedIndicesOptions: boolean;
  /** JSON; empty means `{}`. */
  readonly body: Uint8Array;
  /** Keys of the body that parameters set; they win over the body's. */
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly searchType: 'query_then_fetch' | 'dfs_query_then_fetch';
  readonly routing: string | null;
  readonly preference: string | null;
  readonly typedKeys: boolean;
  readonly totalHitsAsInt: boolean;
  /** Null: no scroll. */
  readonly scrollMs: number | null;
  /** Null: `search.default_allow_partial_results`. */
  readonly allowPartialResults: boolean | null;
  readonly requestCache: boolean | null;
  readonly maxConcurrentShardRequests: number;
  /** Searches over more shards ask first which can match; left out: 128. */
  readonly preFilterShardSize?: number;
  readonly includeNamedQueriesScore: boolean;
}

export interface MultiSearchRequest {
  /** Newline-delimited headers and bodies. */
  readonly body: Uint8Array;
  /** Defaults of each search; its `body` is ignored. */
  readonly defaults: SearchRequest;
  readonly maxConcurrentSearches: number;
}

export interface ScrollRequest {
  readonly scrollId: string;
  /** Null: as before. */
  readonly keepAliveMs: number | null;
  readonly totalHitsAsInt: boolean;
}
