import type { SegmentView } from '@shoal/query';
import type { MultiNumbers } from '@shoal/segments';
import type { FormatSpec } from '../../source/format.js';

/** The key of one source, by which combinations are ordered and merged; null for a missing value. */
export type SourceKey = string | number | bigint | null;

/** The codes of a source that can be on the page. */
export interface CodeRange {
  readonly low: number;
  readonly high: number;
  /** The code of a document without a value; NaN if such documents are dropped. */
  readonly missing: number;
}

/**
 * Reads one source on one shard. Values are given as numbers (codes) that have the same order as the keys; ±Infinity is
 * a missing value.
 */
export interface SourceReader {
  segment(view: SegmentView): void;
  /** All codes of each document, ascending, without equal neighbours. */
  codes(docs: Int32Array, count: number): MultiNumbers;
  /** Whether no document of the segment has several codes. */
  isSingle(): boolean;
  /** The code of each document, NaN for none, where `isSingle`. */
  singles(docs: Int32Array, count: number): Float64Array;
  /**
   * Where `isSingle`: writes the indexes of the documents whose code is in `range` to `rows`, and their codes to
   * `codes`. Returns the number of rows.
   */
  select(docs: Int32Array, count: number, range: CodeRange, rows: Int32Array, codes: Float64Array): number;
  key(code: number): SourceKey;
  /** The code of a value of `after`. A term that no document has gets a code between those of its neighbours. */
  codeOf(value: unknown): number;
  readonly format: FormatSpec;
}
