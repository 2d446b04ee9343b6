import type { SegmentView } from '@shoal/query';
import type { MultiNumbers } from '@shoal/segments';
import type { FormatSpec } from '../../source/format.js';

/** A key of one source: what orders and merges; null for a missing value. */
export type SourceKey = string | number | bigint | null;

/** A source on one shard: values as numbers that order like the keys they stand for; ±Infinity is missing. */
export interface SourceReader {
  segment(view: SegmentView): void;
  /** All codes of each document, ascending, without repeats next to each other. */
  codes(docs: Int32Array, count: number): MultiNumbers;
  /** Whether no document of the segment has several codes. */
  isSingle(): boolean;
  /** The code of each document, NaN for none, where `isSingle`. */
  singles(docs: Int32Array, count: number): Float64Array;
  key(code: number): SourceKey;
  /** The code of an `after` value; for terms that no document has, one between its neighbours. */
  codeOf(value: unknown): number;
  readonly format: FormatSpec;
}
