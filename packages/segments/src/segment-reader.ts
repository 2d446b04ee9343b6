/** Sentinel that iterators return at their end; larger than any document number. */
export const NO_MORE_DOCS = 0x7fffffff;

/** Size of the windows of documents in which queries run; also the number of values in one block of a column. */
export const WINDOW_DOCS = 4096;

/** Documents in one full block of a posting list. */
export const POSTINGS_BLOCK_DOCS = 128;

/** Kinds of columns (doc values): numbers, ordinals of terms, geo points, byte strings, vectors. */
export type ColumnKind = 'long' | 'double' | 'ordinals' | 'geo' | 'binary' | 'vectors';

/** How two vectors are compared; `none` for vectors that only scripts read. */
export type VectorSimilarity = 'none' | 'l2_norm' | 'cosine' | 'dot_product' | 'max_inner_product';

/** Form of the vectors of a field. Vectors of floats that are compared by `cosine` are stored with length 1. */
export interface VectorLayout {
  readonly dims: number;
  readonly element: 'float' | 'byte';
  readonly similarity: VectorSimilarity;
  /** How graphs over the vectors are made; the default of 8.12 (m 16, 100 candidates, floats) if undefined. */
  readonly graph?: VectorGraphOptions;
}

/** Options of the graphs (HNSW) of a field with vectors. */
export interface VectorGraphOptions {
  /** Links of a node on the upper levels; on the lowest there are twice as many. */
  readonly m: number;
  /** Nodes among which the links of a new node are chosen. */
  readonly efConstruction: number;
  /**
   * Set if the graph compares floats as bytes: the share of the elements, those nearest to zero, that bytes have to
   * hold exactly; the others are cut off.
   */
  readonly confidence?: number;
}

/** What the posting lists of a field have besides documents. */
export interface TermsLayout {
  readonly freqs: boolean;
  readonly positions: boolean;
  readonly norms: boolean;
}

/**
 * Structures that a segment has for one field, by kind: this package does not know field types. A field with `terms`
 * and an `ordinals` column has one dictionary for both, so a term has the same ordinal in both. In sealed segments
 * ordinals are in term order.
 */
export interface FieldLayout {
  readonly name: string;
  readonly terms: TermsLayout | null;
  readonly column: ColumnKind | null;
  /** Whether ranges have an index: sorted blocks for numbers ('long', 'double'), a k-d tree for points ('geo'). */
  readonly points: boolean;
  /** Set with a `vectors` column. */
  readonly vectors?: VectorLayout;
}

/**
 * Values of one field of one document, as they enter the indexing buffer. Terms are UTF-16 strings; they order by code
 * point.
 */
export type FieldEntry =
  | {
      readonly kind: 'tokens';
      readonly layout: FieldLayout;
      /** In the order of the tokens; `positions[i]` is the position of `terms[i]`. */
      readonly terms: readonly string[];
      readonly positions: ArrayLike<number>;
      /**
       * Length for the norm: number of tokens, mostly without those at the same position as the token before
       * (synonyms).
       */
      readonly length: number;
    }
  /**
   * Terms that are not analysed: keyword, ip (16 characters 0-255), boolean, `_field_names` … Repeated terms are
   * allowed; they count as frequency if the field has frequencies.
   */
  | { readonly kind: 'terms'; readonly layout: FieldLayout; readonly terms: readonly string[] }
  /** Terms of a field with frequencies, each with its own: `values[i]`, at least 1, is that of `terms[i]`. */
  | {
      readonly kind: 'weights';
      readonly layout: FieldLayout;
      readonly terms: readonly string[];
      readonly values: readonly number[];
    }
  /**
   * Values of a number column. 'long': 64-bit integers, all signed or all unsigned, bigint beyond 2^53. 'double':
   * finite numbers.
   */
  | { readonly kind: 'numbers'; readonly layout: FieldLayout; readonly values: readonly (number | bigint)[] }
  /** Latitudes and longitudes in degrees, alternating. */
  | { readonly kind: 'points'; readonly layout: FieldLayout; readonly values: readonly number[] }
  /** A byte string, or a row of a `vectors` column (`encodeVector`). */
  | { readonly kind: 'binary'; readonly layout: FieldLayout; readonly value: Uint8Array };

/** Values of several documents in one array: document i has values[starts[i]] … values[starts[i + 1] - 1]. */
export interface MultiNumbers {
  starts: Int32Array;
  values: Float64Array;
}
/** As `MultiNumbers`, for ordinals. */
export interface MultiOrdinals {
  starts: Int32Array;
  values: Int32Array;
}

interface Column {
  readonly isSingleValued: boolean;
  readonly docsWithField: number;
  /** Number of values of all documents. */
  readonly valueCount: number;
  /** Smallest document >= `target` that has a value, or NO_MORE_DOCS. */
  nextDocWithField(target: number): number;
}

/** A column of numbers. In all methods `docs` is ascending and its first `count` elements are read. */
export interface NumberColumn extends Column {
  readonly kind: 'long' | 'double';
  readonly min: number;
  readonly max: number;
  /** Whether doubles hold all values exactly; if not, `bigs` returns the exact values. */
  readonly isExact: boolean;
  /** Reads the smallest value of each document; NaN if it has none. */
  read(docs: Int32Array, count: number, out: Float64Array): void;
  /** Reads the smallest value of each document in [from, to) in one pass; NaN if it has none. */
  readRange(from: number, to: number, out: Float64Array): void;
  /**
   * Writes the documents in [from, to), all of one window, that have a value, and the smallest value of each; returns
   * their number. Costs a step for each document with a value. Undefined where no such list is kept.
   */
  readPresent?(from: number, to: number, docs: Int32Array, out: Float64Array): number;
  /** Reads all values of each document, ascending; grows the arrays of `out` as needed. */
  readAll(docs: Int32Array, count: number, out: MultiNumbers): void;
  /** Exact values of one document, ascending. */
  bigs(doc: number): readonly bigint[];
  /**
   * Bounds of the values in the window of WINDOW_DOCS documents that contains `doc`; null if the window has no value.
   */
  blockBounds(doc: number): { readonly min: number; readonly max: number } | null;
}

/** A column of ordinals, numbers of the terms of its dictionary. `docs` and `count` as for `NumberColumn`. */
export interface OrdinalColumn extends Column {
  /** Number of distinct terms; ordinals are 0 … ordinalCount - 1. */
  readonly ordinalCount: number;
  /** Reads the ordinal of the smallest term of each document; -1 if it has none. */
  read(docs: Int32Array, count: number, out: Int32Array): void;
  /** As `read`, for the documents [from, to). */
  readRange(from: number, to: number, out: Int32Array): void;
  /** Reads the distinct ordinals of each document, in term order. */
  readAll(docs: Int32Array, count: number, out: MultiOrdinals): void;
  term(ordinal: number): string;
  /** Ordinal of a term, or -1 if the column does not have it. */
  lookup(term: string): number;
  /** Rank of each ordinal in term order; null if ordinals are in term order already, as in sealed segments. */
  ranks(): Int32Array | null;
}

/** A column of geo points, in degrees. `docs` and `count` as for `NumberColumn`. */
export interface GeoColumn extends Column {
  /** Reads the first point of each document; NaN if it has none. */
  read(docs: Int32Array, count: number, lats: Float64Array, lons: Float64Array): void;
  /** Reads all points of each document. */
  readAll(docs: Int32Array, count: number, lats: MultiNumbers, lons: MultiNumbers): void;
}

/** A column of byte strings. */
export interface BinaryColumn extends Column {
  /** Byte string of a document, or null if it has none. */
  get(doc: number): Uint8Array | null;
}

/**
 * Consecutive rows of a column of vectors in one piece of memory, as floats and as bytes. Row i of the column begins at
 * float `(i - first) * stride`, or byte `(i - first) * stride * 4`.
 */
export interface VectorRows {
  readonly first: number;
  readonly count: number;
  /** Floats from one row to the next: the elements, padded to whole floats, and the length of the vector as given. */
  readonly stride: number;
  readonly floats: Float32Array;
  readonly bytes: Int8Array;
}

/** A column of vectors, one a document. Rows number the documents that have one, ascending. */
export interface VectorColumn extends Column {
  readonly layout: VectorLayout;
  /** Returns the row of a document, -1 if it has none. */
  rowOf(doc: number): number;
  /** Document of each row; null if both numbers are the same. */
  docsOfRows(): Int32Array | null;
  /** Returns the piece with a row; it stays valid while its reader does. */
  rows(row: number): VectorRows;
  /** Number of this column of this segment, that of no other in the process; set with graphs. */
  readonly number?: number;
  /** Graphs over all rows, each over a run of them; undefined or empty if rows are found by comparing all of them. */
  readonly graphs?: readonly VectorGraph[];
  /** The first `bytes` bytes of a row: its elements and, as the last float, its length. Set with graphs. */
  rowBytes?(row: number, bytes: number): Uint8Array;
  /** Rows in which elements are bytes, if the graphs compare them so; else null. Set with graphs. */
  readonly quantised?: QuantisedRows | null;
}

/** Vectors of floats as bytes: an element is about its byte times `scale`. */
export interface QuantisedRows {
  readonly scale: number;
  /** The first `bytes` bytes of the elements of a row. */
  rowBytes(row: number, bytes: number): Uint8Array;
}

/** Recall of the ten nearest that walks with so many candidates had, measured when the graph was made. */
export interface RecallPoint {
  readonly candidates: number;
  readonly recall: number;
}

/**
 * A hierarchical navigable small world graph over `rows` rows of a column from `first` on. A node has a rank on each of
 * its levels; on level 0 it is the row less `first`.
 */
export interface VectorGraph {
  readonly first: number;
  readonly rows: number;
  readonly m: number;
  readonly topLevel: number;
  /** Rank on the top level of the node where walks begin. */
  readonly entry: number;
  /** By candidates, ascending; empty if the recall is not known. */
  readonly recall: readonly RecallPoint[];
  nodesOn(level: number): number;
  /** Writes the ranks of the neighbours of a node on a level to `into`; returns their number. */
  neighbours(level: number, rank: number, into: Int32Array): number;
  /** Row of a node, less `first`. */
  rowOf(level: number, rank: number): number;
  /** Rank on the next lower level of a node above the lowest. */
  below(level: number, rank: number): number;
}

/**
 * Pairs (frequency, norm) that bound the scores of a block, as in Lucene: the maximal score is that of one of the
 * pairs. A pair is left out if another has at least its frequency and at most its norm (a shorter field).
 */
export interface Impacts {
  readonly count: number;
  readonly freqs: Int32Array;
  readonly norms: Uint8Array;
}

/**
 * Iterates over a posting list one block at a time. After `nextBlock` or `advanceBlock` the documents of the block are
 * `docs[0 … size - 1]`, ascending; `freqs` has their frequencies (1 if the field has none).
 */
export interface PostingsCursor {
  readonly docFreq: number;
  readonly docs: Int32Array;
  readonly freqs: Int32Array;
  readonly size: number;
  /** Loads the next block; returns the number of its documents, 0 at the end. */
  nextBlock(): number;
  /**
   * Loads the block with the first document >= target; returns the number of its documents, 0 if there is none. Never
   * moves backwards.
   */
  advanceBlock(target: number): number;
  /**
   * Moves only the skip data to the block with the first document >= target, without decoding the block. Returns the
   * last document of the block, or NO_MORE_DOCS past the end.
   */
  shallowAdvance(target: number): number;
  /** Impacts of the block that was reached by `shallowAdvance`, or else of the loaded block. */
  impacts(): Impacts;
  /** Impacts of the whole list. */
  globalImpacts(): Impacts;
  /** Writes the positions of the i-th document of the block, ascending, to `positionBuffer`; returns their number. */
  positions(i: number): number;
  readonly positionBuffer: Int32Array;
  /**
   * Writes the next `count` positions of the block to `into` from `at` on, as differences that start at 0 for each
   * document. For merges, which copy differences. Whoever calls it for a block takes all positions of the block this
   * way, and does not call `positions`.
   */
  positionSteps(count: number, into: Int32Array, at: number): void;
  /**
   * Releases the chunks and larger arrays of the cursor while it waits to be reused by `TermsReader.postings`.
   * Undefined if reusing the cursor saves nothing.
   */
  park?(): void;
}

/** What is read of the postings of a field: documents alone, frequencies too, or positions and all before. */
export type PostingsUse = 'documents' | 'frequencies' | 'positions';

/** Iterates over terms in code-point order. */
export interface TermsCursor {
  /** Moves to the first term >= `term`; returns false if there is none. */
  seek(term: string): boolean;
  next(): boolean;
  readonly term: string;
  readonly ordinal: number;
}

/** Terms and postings of one field. Ordinals number its terms from 0. */
export interface TermsReader {
  /** Set by the indexing buffer: terms are strings in memory, and ordinals are not in term order. */
  readonly isInMemory?: true;
  readonly termCount: number;
  /** Number of documents that have the field. */
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalTermFreq: number;
  readonly layout: TermsLayout;
  /** Ordinal of a term, or -1 if the field does not have it. */
  lookup(term: string): number;
  docFreq(ordinal: number): number;
  /** Sum of the frequencies; in sealed segments no more than `docFreq` and EXTRA_FREQ_MAX together. */
  totalTermFreq(ordinal: number): number;
  term(ordinal: number): string;
  /** Opens the postings of a term. May reuse `reuse`, a cursor of any reader that is no longer needed. */
  postings(ordinal: number, reuse?: PostingsCursor): PostingsCursor;
  cursor(): TermsCursor;
}

/** Norms of one field: lengths of the field, encoded in a byte. */
export interface NormsReader {
  /** Reads the norms, Lucene's SmallFloat.intToByte4 of the field length; 0 for documents without the field. */
  read(docs: Int32Array, count: number, out: Uint8Array): void;
  get(doc: number): number;
  /** Norms of all documents, by document. */
  readonly bytes: Uint8Array;
}

/** Range index of a numeric field: sorted blocks of (value, document). Bounds are inclusive; ±Infinity if open. */
export interface PointsReader {
  /**
   * Number of (value, document) pairs within the bounds: exact for whole blocks, estimated for partly covered blocks.
   */
  estimate(low: number, high: number): number;
  /** Sets the bits of the documents with a value within the bounds. */
  collect(low: number, high: number, into: BitSet): void;
  /** As `collect`, with exact bounds, for fields with values beyond 2^53. */
  collectBig(low: bigint, high: bigint, into: BitSet): void;
}

/** A block k-d tree of geo points. */
export interface GeoPointsReader {
  /**
   * Sets the bits of the documents with a point in an area. `relate` returns whether a rectangle (minLat, maxLat,
   * minLon, maxLon) is 'outside' or 'inside' the area or 'crosses' its border; `contains` decides for the points of
   * leaves that cross it.
   */
  collect(
    relate: (minLat: number, maxLat: number, minLon: number, maxLon: number) => 'outside' | 'inside' | 'crosses',
    contains: (lat: number, lon: number) => boolean,
    into: BitSet,
  ): void;
}

/** A set of documents as bits, in the form that all packages share. */
export interface BitSet {
  readonly words: Int32Array;
  /** Number of documents. */
  readonly size: number;
  get(doc: number): boolean;
  set(doc: number): void;
  clear(doc: number): void;
  cardinality(): number;
  /** Smallest set bit >= doc, or NO_MORE_DOCS if there is none. */
  next(doc: number): number;
  /** Largest set bit <= doc, or -1 if there is none. */
  previous(doc: number): number;
}

/**
 * Reads one part of an index: a sealed segment or the indexing buffer. Synchronous: bytes come from the block cache or
 * a blocking read. Documents are numbered 0 … maxDoc - 1 in order of indexing; nested documents precede their root.
 * Deleted documents are included: the searcher holds the live docs.
 */
export interface SegmentReader {
  readonly id: string;
  readonly maxDoc: number;
  /** Bytes on disk (sealed segment) or in memory (indexing buffer). */
  readonly byteSize: number;
  readonly fields: readonly string[];
  layout(field: string): FieldLayout | null;
  terms(field: string): TermsReader | null;
  /** Set by readers that count how fields are used: is told by whoever opens postings what it reads of them. */
  notePostings?(field: string, use: PostingsUse): void;
  norms(field: string): NormsReader | null;
  numbers(field: string): NumberColumn | null;
  /** Number of documents with numbers of a field, without opening its column; deleted documents count. */
  docsWithNumbers?(field: string): number;
  ordinals(field: string): OrdinalColumn | null;
  geo(field: string): GeoColumn | null;
  binary(field: string): BinaryColumn | null;
  vectors(field: string): VectorColumn | null;
  points(field: string): PointsReader | null;
  geoPoints(field: string): GeoPointsReader | null;
  /** Root documents, which are not nested in another; null if no document is nested. */
  readonly roots: BitSet | null;
  /** Root documents whose id has the same hash as `id`, newest last; the caller compares ids with the operation log. */
  findId(id: string): readonly number[];
  /**
   * The numbers of a field that has a range index but no column in its layout, for merges and for counts of a value;
   * null for other fields. `indexedPoints` is the same for points.
   */
  indexedNumbers?(field: string): NumberColumn | null;
  indexedPoints?(field: string): GeoColumn | null;
  /** For merges: writes the lower half of the id hash of each root document to `into`, by document. */
  idHashes?(into: Int32Array): void;
}

/**
 * Source of the bytes of a sealed segment, by part and chunk. Synchronous and cached. Throws corrupt_index_exception if
 * a chunk is missing or damaged.
 */
export interface SegmentSource {
  readonly id: string;
  readonly byteSize: number;
  chunk(part: string, index: number): Uint8Array;
  chunkCount(part: string): number;
  readonly parts: readonly string[];
  /** Cache of decoded runs of columns over requests; if undefined, a run lives as long as the column's reader. */
  readonly decodedRuns?: DecodedRunCache;
}

/** Cache of decoded runs of values, limited in bytes. A run is the decoded block of up to 4,096 values of a column. */
export interface DecodedRunCache {
  /**
   * Whether the cache would take a run of `bytes` bytes now. A full cache takes only some runs, so that a scan does not
   * evict everything else.
   */
  admits(bytes: number): boolean;
  /**
   * Adds a run; `drop` is called when the run is evicted. The reader sets `isUsed` of the returned entry at each use.
   */
  add(bytes: Uint8Array, drop: () => void): { isUsed: boolean };
}

/** Destination of a segment that is written: takes the chunks of each part in order, each at most CHUNK_BYTES_MAX. */
export interface SegmentSink {
  write(part: string, chunk: Uint8Array): void | Promise<void>;
}

/** Limit of the bytes of a chunk. */
export const CHUNK_BYTES_MAX = 65536;
