/** Larger than any document number: what iterators return at their end. */
export const NO_MORE_DOCS = 0x7fffffff;

/** Documents that the execution of a query looks at in one go, and values in one block of a column. */
export const WINDOW_DOCS = 4096;

/** Documents in one full block of a posting list. */
export const POSTINGS_BLOCK_DOCS = 128;

export type ColumnKind = 'long' | 'double' | 'ordinals' | 'geo' | 'binary';

export interface TermsLayout {
  readonly freqs: boolean;
  readonly positions: boolean;
  readonly norms: boolean;
}

/**
 * What a segment keeps of one field. `segments` is told kinds, not field types. A field with `terms` and an `ordinals`
 * column has one dictionary for both: a term's ordinal is the same number in each (in sealed segments: in term order).
 */
export interface FieldLayout {
  readonly name: string;
  readonly terms: TermsLayout | null;
  readonly column: ColumnKind | null;
  /** An index of the numbers ('long', 'double') or points ('geo') for ranges. */
  readonly points: boolean;
}

/**
 * The values of one field of one document, ready for the buffer. Terms are strings in UTF-16; order is by code point.
 */
export type FieldEntry =
  | {
      readonly kind: 'tokens';
      readonly layout: FieldLayout;
      /** `positions[i]` belongs to `terms[i]`, ascending over the document's values of the field. */
      readonly terms: readonly string[];
      readonly positions: ArrayLike<number>;
      /** Length for the norm: tokens without those at the position of the one before. */
      readonly length: number;
    }
  /**
   * Un-analysed terms: keyword, ip (16 characters 0-255), boolean, `_field_names` … Doubles are allowed; freq is 1 a
   * term.
   */
  | { readonly kind: 'terms'; readonly layout: FieldLayout; readonly terms: readonly string[] }
  /**
   * 'long' columns take integers of 64 bits, signed or unsigned but not both, bigint beyond 2^53; 'double' columns
   * finite numbers.
   */
  | { readonly kind: 'numbers'; readonly layout: FieldLayout; readonly values: readonly (number | bigint)[] }
  /** Pairs lat, lon, … in degrees. */
  | { readonly kind: 'points'; readonly layout: FieldLayout; readonly values: readonly number[] }
  | { readonly kind: 'binary'; readonly layout: FieldLayout; readonly value: Uint8Array };

/** Values of several documents side by side: those of the i-th are `values[starts[i]] … values[starts[i + 1] - 1]`. */
export interface MultiNumbers {
  starts: Int32Array;
  values: Float64Array;
}
export interface MultiOrdinals {
  starts: Int32Array;
  values: Int32Array;
}

interface Column {
  readonly isSingleValued: boolean;
  readonly docsWithField: number;
  /** Values over all documents. */
  readonly valueCount: number;
  /** Smallest document >= `target` that has a value, or NO_MORE_DOCS. */
  nextDocWithField(target: number): number;
}

/** `docs` are always ascending; `count` of them count. */
export interface NumberColumn extends Column {
  readonly kind: 'long' | 'double';
  readonly min: number;
  readonly max: number;
  /** False when some value does not fit a double exactly; then `bigs` has the exact ones. */
  readonly isExact: boolean;
  /** The smallest value of each document, NaN for none. */
  read(docs: Int32Array, count: number, out: Float64Array): void;
  /** Values of documents [from, to) in one pass; NaN for none (first value of multi-valued ones). */
  readRange(from: number, to: number, out: Float64Array): void;
  /** All values of each document, ascending; grows the arrays of `out` as needed. */
  readAll(docs: Int32Array, count: number, out: MultiNumbers): void;
  /** Exact ascending values of one document. */
  bigs(doc: number): readonly bigint[];
  /**
   * Bounds of the values of documents in the block of WINDOW_DOCS that holds `doc`; null when the block has no value.
   */
  blockBounds(doc: number): { readonly min: number; readonly max: number } | null;
}

export interface OrdinalColumn extends Column {
  /** Distinct terms. Ordinals are 0 … ordinalCount - 1. */
  readonly ordinalCount: number;
  /** Smallest-term ordinal of each document, -1 for none. */
  read(docs: Int32Array, count: number, out: Int32Array): void;
  readRange(from: number, to: number, out: Int32Array): void;
  /** Distinct ordinals of each document, in term order. */
  readAll(docs: Int32Array, count: number, out: MultiOrdinals): void;
  term(ordinal: number): string;
  /** The ordinal of a term, or -1. */
  lookup(term: string): number;
  /** Rank of each ordinal in term order; null when ordinals are in term order already (sealed segments). */
  ranks(): Int32Array | null;
}

export interface GeoColumn extends Column {
  /** First point of each document, NaN for none. */
  read(docs: Int32Array, count: number, lats: Float64Array, lons: Float64Array): void;
  readAll(docs: Int32Array, count: number, lats: MultiNumbers, lons: MultiNumbers): void;
}

export interface BinaryColumn extends Column {
  get(doc: number): Uint8Array | null;
}

/** Maximum of a block's scores is at one of these pairs: a higher frequency or a smaller (shorter) norm dominates. */
export interface Impacts {
  readonly count: number;
  readonly freqs: Int32Array;
  readonly norms: Uint8Array;
}

/**
 * Walks a posting list a block at a time. After `nextBlock` or `advanceBlock` the block's documents are
 * `docs[0 … size - 1]`, ascending, with `freqs` beside them (1 where the field keeps none).
 */
export interface PostingsCursor {
  readonly docFreq: number;
  readonly docs: Int32Array;
  readonly freqs: Int32Array;
  readonly size: number;
  /** Loads the next block; returns its size, 0 at the end. */
  nextBlock(): number;
  /**
   * Loads the block that holds the first document >= target; returns its size, 0 when there is none. Never goes back.
   */
  advanceBlock(target: number): number;
  /**
   * Moves the skip data, decoding no block, to the block that holds the first document >= target; returns the block's
   * last document (NO_MORE_DOCS past the end).
   */
  shallowAdvance(target: number): number;
  /** Impacts of the block reached by `shallowAdvance`, or of the loaded block. */
  impacts(): Impacts;
  /** Impacts of the whole list. */
  globalImpacts(): Impacts;
  /** Positions of the i-th document of the block, ascending, in `positionBuffer`; returns how many. */
  positions(i: number): number;
  readonly positionBuffer: Int32Array;
  /**
   * Writes the next `count` positions of the block's documents to `into` from `at` on as differences, those of each
   * document from 0 on: what a merge copies. Once begun, all of the block's are to be taken, and not by `positions`.
   */
  positionSteps(count: number, into: Int32Array, at: number): void;
  /**
   * Lets go of all that it reads from, until a reader's `postings` takes it again. Absent where it is not worth
   * keeping.
   */
  park?(): void;
}

/** Walks terms in code-point order. */
export interface TermsCursor {
  /** Goes to the first term >= `term`; false when there is none. */
  seek(term: string): boolean;
  next(): boolean;
  readonly term: string;
  readonly ordinal: number;
}

export interface TermsReader {
  /** Set by the buffer: terms are strings at hand, ordinals are not in term order. */
  readonly isInMemory?: true;
  readonly termCount: number;
  /** Documents that have the field. */
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalTermFreq: number;
  readonly layout: TermsLayout;
  /** The ordinal of a term, or -1. */
  lookup(term: string): number;
  docFreq(ordinal: number): number;
  totalTermFreq(ordinal: number): number;
  term(ordinal: number): string;
  /** `reuse`, a cursor of any reader that is no longer needed, may be taken instead of a new one. */
  postings(ordinal: number, reuse?: PostingsCursor): PostingsCursor;
  cursor(): TermsCursor;
}

export interface NormsReader {
  /** Lucene's SmallFloat.intToByte4 of the length; 0 for documents without the field. */
  read(docs: Int32Array, count: number, out: Uint8Array): void;
  get(doc: number): number;
  /** All norms, index = document. */
  readonly bytes: Uint8Array;
}

/** Sorted (value, document) blocks of a numeric field. Bounds are inclusive; ±Infinity for open ends. */
export interface PointsReader {
  /** Number of (value, document) pairs in the bounds: exact at block borders, estimated within blocks. */
  estimate(low: number, high: number): number;
  /** Sets the bit of each matching document. */
  collect(low: number, high: number, into: BitSet): void;
  /** Exact bounds for fields with values beyond 2^53. */
  collectBig(low: bigint, high: bigint, into: BitSet): void;
}

/** A block k-d tree of geo points. */
export interface GeoPointsReader {
  /**
   * Visits leaves: `relate` says of a rectangle (minLat, maxLat, minLon, maxLon) whether it is 'outside', 'inside' or
   * 'crosses' the area; documents of inside cells are set at once, those of crossing leaves after `contains(lat, lon)`.
   */
  collect(
    relate: (minLat: number, maxLat: number, minLon: number, maxLon: number) => 'outside' | 'inside' | 'crosses',
    contains: (lat: number, lon: number) => boolean,
    into: BitSet,
  ): void;
}

/** Bits by document; the plain form that all rooms share. */
export interface BitSet {
  readonly words: Int32Array;
  /** Number of documents. */
  readonly size: number;
  get(doc: number): boolean;
  set(doc: number): void;
  clear(doc: number): void;
  cardinality(): number;
  /** Smallest set bit >= doc, or NO_MORE_DOCS. */
  next(doc: number): number;
  /** Largest set bit <= doc, or -1. */
  previous(doc: number): number;
}

/**
 * Read access to one part of an index, sealed or buffered. Synchronous: bytes come from the block cache or a blocking
 * read. Document numbers are 0 … maxDoc - 1, in order of indexing; nested documents precede their root. Deletes are not
 * in here: the searcher holds them beside it.
 */
export interface SegmentReader {
  readonly id: string;
  readonly maxDoc: number;
  /** Bytes on disk (sealed) or in memory (buffer). */
  readonly byteSize: number;
  readonly fields: readonly string[];
  layout(field: string): FieldLayout | null;
  terms(field: string): TermsReader | null;
  norms(field: string): NormsReader | null;
  numbers(field: string): NumberColumn | null;
  ordinals(field: string): OrdinalColumn | null;
  geo(field: string): GeoColumn | null;
  binary(field: string): BinaryColumn | null;
  points(field: string): PointsReader | null;
  geoPoints(field: string): GeoPointsReader | null;
  /** Documents that are not nested ones, or null when there are none nested. */
  readonly roots: BitSet | null;
  /** Root documents whose id may be `id` (hash match), newest last; the caller verifies against the op log. */
  findId(id: string): readonly number[];
  /**
   * For merges: the numbers or points of a field that has only an index of them (layout without a column), null for
   * others.
   */
  indexedNumbers?(field: string): NumberColumn | null;
  indexedPoints?(field: string): GeoColumn | null;
  /** For merges: writes the lower half of each root document's id hash at the document's number. */
  idHashes?(into: Int32Array): void;
}

/**
 * Bytes of a sealed segment by part and chunk; throws corrupt_index_exception when missing or damaged. Synchronous,
 * cached.
 */
export interface SegmentSource {
  readonly id: string;
  readonly byteSize: number;
  chunk(part: string, index: number): Uint8Array;
  chunkCount(part: string): number;
  readonly parts: readonly string[];
  /** Keeps decoded runs of columns from one request to the next; without it they live as long as a column's reader. */
  readonly decodedRuns?: DecodedRunCache;
}

/** Decoded runs within a number of bytes. */
export interface DecodedRunCache {
  /**
   * Whether a run of so many bytes would be taken now; when the cache is full only some are, so that scans do not empty
   * it.
   */
  admits(bytes: number): boolean;
  /** Takes a run in; `drop` is called when the cache lets go of it. The reader sets `isUsed` with each use. */
  add(bytes: Uint8Array, drop: () => void): { isUsed: boolean };
}

/** Where a segment is written to; chunks of at most CHUNK_BYTES_MAX, in order within a part. */
export interface SegmentSink {
  write(part: string, chunk: Uint8Array): void | Promise<void>;
}

export const CHUNK_BYTES_MAX = 65536;
