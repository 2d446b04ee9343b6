import type { AnalysisRegistry } from '@shoal/analysis';
import type { Mapping } from '@shoal/mapping';
import type { BitSet, SegmentReader } from '@shoal/segments';

/** One segment as a reader sees it: deletes of its moment, place in the shard's document numbers. */
export interface SegmentView {
  readonly reader: SegmentReader;
  /** Live documents, nested ones included; null when none is deleted. */
  readonly live: BitSet | null;
  readonly docBase: number;
  /** Visible documents of the segment (the buffer's limit at refresh). */
  readonly maxDoc: number;
  readonly liveCount: number;
  /** Changes whenever `live` or `maxDoc` do: key for caches. */
  readonly version: string;
}

/** A moment of a shard: what one request, scroll or PIT searches. */
export interface Searcher {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly mapping: Mapping;
  /** The index's analysers, for `analyzer` options of queries. */
  readonly analysis: AnalysisRegistry;
  readonly segments: readonly SegmentView[];
  readonly maxDoc: number;
  /** Live root documents. */
  readonly liveDocCount: number;
  /**
   * Whether `live` leaves out documents that the caller may not see, besides deleted ones: dictionaries then have terms
   * that are none of the caller's business.
   */
  readonly hidesDocuments?: boolean;
  /** Limits from index settings: max_clause_count, max_terms_count, max_regex_length … */
  readonly settings: SearchSettings;
  /** Values kept as long as these segments are searched (ordinal maps, filter bitsets, statistics). */
  readonly cache: SearcherCache;
  /** `_id` and op-log record of a root document: for `ids`, fetch, highlight. Blocks; throws when damaged. */
  stored(globalDoc: number): StoredDocument;
}

export interface StoredDocument {
  readonly id: string;
  readonly routing: string | null;
  readonly source: Uint8Array;
  /** The source as it was indexed, whatever the mapping shows of it: for stored fields. */
  readonly raw?: Uint8Array;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
  /** Fields whose values were left out of the index: `_ignored` of hits. */
  readonly ignored?: readonly string[];
}

export interface SearchSettings {
  readonly maxResultWindow: number;
  readonly maxInnerResultWindow: number;
  readonly maxRescoreWindow: number;
  readonly maxTermsCount: number;
  readonly maxRegexLength: number;
  readonly maxClauseCount: number;
  readonly maxDocvalueFields: number;
  readonly maxScriptFields: number;
  readonly maxAnalyzedOffset: number;
  readonly maxSlicesPerScroll: number;
  readonly defaultFields: readonly string[];
  readonly queryStringLenient: boolean;
  readonly allowExpensiveQueries: boolean;
  /** `{k1, b}` by field for similarity settings other than the default; null elsewhere. */
  similarity(field: string): { readonly k1: number; readonly b: number; readonly type: 'BM25' | 'boolean' } | null;
}

export interface SearcherCache {
  /** The value under `key`, made by `make` when absent; `bytes` is charged to the cache's share of the memory. */
  get<T>(key: string, make: () => { readonly value: T; readonly bytes: number }): T;
}

/**
 * Stops work that nobody waits for. `check` throws task_cancelled_exception, or returns true when the deadline of
 * `timeout` has passed.
 */
export interface Progress {
  check(): boolean;
  /** True when this slice of the thread is used up and the caller should yield. */
  sliceOver(): boolean;
  yield(): Promise<void>;
  /** Time since the request began, for `timeout` and profiles. */
  elapsedMs?(): number;
  /**
   * Counts memory that the request holds until it ends (negative: gives some back); throws circuit_breaking_exception.
   */
  charge?(bytes: number): void;
}
