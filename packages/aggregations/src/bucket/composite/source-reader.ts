import type { SegmentView } from '@shoal/query';
import type { MultiNumbers } from '@shoal/segments';
import type { FormatSpec } from '../../source/format.js';

/** The key of one source, by which combinations are ordered and merged; null for a missing value. */
export type SourceKey = string | number | bigint | null;

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
  key(code: number): SourceKey;
  /** The code of a value of `after`. A term that no document has gets a code between those of its neighbours. */
  codeOf(value: unknown): number;
  readonly format: FormatSpec;
}
