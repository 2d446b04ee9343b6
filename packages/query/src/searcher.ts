import type { AnalysisRegistry } from '@shoal/analysis';
import type { FieldType, Mapping, RuntimeValues, SimilaritySettings } from '@shoal/mapping';
import type { BitSet, GeoColumn, NumberColumn, OrdinalColumn, SegmentReader, VectorRowCache } from '@shoal/segments';

/** One segment as a searcher sees it: live documents at that moment, and its place in the shard's document numbers. */
export interface SegmentView {
  readonly reader: SegmentReader;
  /** Live documents, nested ones included; null when none is deleted. */
  readonly live: BitSet | null;
  readonly docBase: number;
  /** Visible documents of the segment (the buffer's limit at refresh). */
  readonly maxDoc: number;
  readonly liveCount: number;
  /** Cache key that changes whenever `live` or `maxDoc` does. */
  readonly version: string;
}

/** A point-in-time view of a shard, which one request, scroll or PIT searches. */
export interface Searcher {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly mapping: Mapping;
  /** Analysers of the index, for `analyzer` options of queries. */
  readonly analysis: AnalysisRegistry;
  readonly segments: readonly SegmentView[];
  readonly maxDoc: number;
  /** Number of live root documents. */
  readonly liveDocCount: number;
  /**
   * Whether `live` hides documents from the caller besides deleted ones (document-level security). Dictionaries then
   * contain terms that the caller must not see.
   */
  readonly hidesDocuments?: boolean;
  /** Limits from index settings: max_clause_count, max_terms_count, max_regex_length … */
  readonly settings: SearchSettings;
  /** Cache of values that live as long as these segments are searched (ordinal maps, filter bits, statistics). */
  readonly cache: SearcherCache;
  /** Set if the mapping has runtime fields. */
  readonly runtime?: RuntimeLayer;
  /** Indexes documents in memory, for queries that are stored; absent where nothing can be indexed. */
  readonly indexDocuments?: IndexDocuments;
  /**
   * Returns `_id` and operation log record of a root document, for `ids`, fetch and highlighting. Blocks the thread on
   * a disk read; throws when the record is damaged.
   */
  stored(globalDoc: number): StoredDocument;
}

/**
 * Returns a searcher with mapping, analyzers and settings of another over documents that are nowhere stored, in their
 * order, given as JSON. What the mapping does not have of them is left out. Throws for a document that the mapping
 * refuses.
 */
export type IndexDocuments = (searcher: Searcher, sources: readonly Uint8Array[], nowMs: number) => Searcher;

/** The column of a runtime field in one segment; all null if no document has a value. */
export interface RuntimeColumns {
  readonly numbers: NumberColumn | null;
  readonly ordinals: OrdinalColumn | null;
  readonly geo: GeoColumn | null;
  /** Memory in bytes. */
  readonly bytes: number;
}

/** Reads the values of a field in a document of a segment; a script of an aggregation may ask for the score. */
export type RuntimeReader = (doc: number, score: number) => RuntimeValues;

/** Runtime fields that a searcher has besides the fields of the searcher beneath it. */
export interface RuntimeLayer {
  readonly beneath: Searcher;
  /**
   * Returns the values of a field in a document of a segment; none for nested documents, which have no source. Scripts
   * of aggregations may ask for the score.
   */
  values(field: FieldType, segment: SegmentView, doc: number, score?: number): RuntimeValues;
  /** Returns `values` for one field of one segment. An array that it returns is valid until the next call. */
  reader(field: FieldType, segment: SegmentView): RuntimeReader;
  /** Returns the column of a field in a segment of this searcher; null if it has not been made. */
  madeColumns(field: FieldType, segment: SegmentView): RuntimeColumns | null;
  /** Whether a script has run that may emit other values the next time. */
  readonly isUnrepeatable: boolean;
  /** Keeps a column that was made of all live documents of a segment. */
  keepColumns(field: FieldType, segment: SegmentView, columns: RuntimeColumns): void;
}

/**
 * A root document of the operation log. `source` is the JSON that `_source` of the mapping lets show; empty if it is
 * disabled.
 */
export interface StoredDocument {
  readonly id: string;
  readonly routing: string | null;
  readonly source: Uint8Array;
  /**
   * The source as it was indexed, before the mapping's `_source` patterns removed fields: for stored fields. Absent if
   * equal to `source`.
   */
  readonly raw?: Uint8Array;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
  /** Fields whose values were not indexed: `_ignored` of hits. */
  readonly ignored?: readonly string[];
}

/** Limits and defaults of an index that searches read, from settings of the same names. */
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
  /** Similarity by field, where it is not the default; null elsewhere. */
  similarity(field: string): SimilaritySettings | null;
}

/** Cache of computed values. Keys name the segments that a value was computed from. */
export interface SearcherCache {
  /** Rows of vectors that searches of the thread hold; absent where nothing is cached. */
  readonly vectorRows?: VectorRowCache;
  /**
   * Returns the value under `key`, made by `make` when absent. `bytes` is charged to the memory budget of the cache.
   */
  get<T>(key: string, make: () => { readonly value: T; readonly bytes: number }): T;
  /** Returns the value under `key`, or undefined. */
  find<T>(key: string): T | undefined;
}

/**
 * Progress of a request, by which long work stops early. `check` throws task_cancelled_exception if the caller is gone,
 * and returns true when the deadline of `timeout` has passed.
 */
export interface Progress {
  check(): boolean;
  /** Returns true when this turn has used the thread long enough and the caller should yield. */
  sliceOver(): boolean;
  yield(): Promise<void>;
  /** Returns the time since the request began, for `timeout` and profiles. */
  elapsedMs?(): number;
  /** Returns the time that the request has used the thread for: without its waits for a turn. */
  workedMs?(): number;
  /**
   * Charges memory that the request holds until it ends; a negative number gives memory back. Throws
   * circuit_breaking_exception.
   */
  charge?(bytes: number): void;
}

/**
 * Asked between parts of long work: null while the thread may be kept, else a promise to await. It rejects with
 * task_cancelled_exception if the caller is gone.
 */
export type Pause = () => Promise<void> | null;

/** Returns the pauses of a request. */
export function pausesOf(progress: Progress): Pause {
  const next = async (): Promise<void> => {
    progress.check();
    await progress.yield();
    progress.check();
  };
  return () => (progress.sliceOver() ? next() : null);
}
