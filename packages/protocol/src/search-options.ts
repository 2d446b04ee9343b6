/**
 * Search options that come from request parameters or that the coordinator decides, not from the body. Sent as JSON in
 * `options` of QueryRequest and FetchRequest. Parameters that merely repeat body keys (`size`, `sort`, `_source`, `q`
 * …) are merged into the body by the coordinator and do not appear here.
 */
export interface SearchOptions {
  readonly searchType: 'query_then_fetch' | 'dfs_query_then_fetch';
  readonly typedKeys: boolean;
  /**
   * Hits that a shard returns: from + size of the request, size for scroll pages, or its share of a page that several
   * shards render at once.
   */
  readonly shardSize: number;
  /** Position of the page's first hit among all hits; `from` + `size` is limited by `index.max_result_window`. */
  readonly from: number;
  readonly size: number;
  /**
   * For scroll pages after the first: sort values (encodeValue, base64) of the last hit seen on each target's shard.
   */
  readonly after?: readonly (string | null)[];
  readonly isScroll: boolean;
  readonly isPit: boolean;
  readonly requestCache: boolean | null;
  readonly includeNamedQueriesScore: boolean;
  /** Adds `_type: "_doc"` for compatible-with=7. */
  readonly withType: boolean;
  readonly maxBuckets: number;
  readonly allowExpensiveQueries: boolean;
}
