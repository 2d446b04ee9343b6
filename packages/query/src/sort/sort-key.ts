import type { Value } from '@shoal/codec';
import type { SegmentView } from '../searcher.js';

/**
 * One criterion of a sort, bound to a searcher. Documents are compared by keys: doubles of which the smaller comes
 * first, whatever the order asked for. A criterion may need several keys (`slots`) to be exact.
 */
export interface SortKey {
  readonly slots: number;
  readonly needsScores: boolean;
  /** 1 for ascending values, -1 for descending ones. */
  readonly direction: 1 | -1;
  /** The keys of one segment. Keys of criteria with `isSegmental` mean something within it only. */
  segment(view: SegmentView): SegmentKeys;
  /** True for terms: keys are ranks within the segment, `rekey` brings others into it. */
  readonly isSegmental: boolean;
  /** What `search_after` holds for this criterion as something that `keyOf` understands. Throws illegal_argument. */
  parseAfter(value: unknown): Value;
}

export interface SegmentKeys {
  /** Keys of `count` ascending documents of the segment for a slot. */
  read(slot: number, docs: Int32Array, count: number, scores: Float64Array | null, out: Float64Array): void;
  /** The best first key that a document of the block of WINDOW_DOCS around `doc` can have; -Infinity when unknown. */
  blockBest(doc: number): number;
  /** The worst first key that a document of that block can have; Infinity when unknown. */
  blockWorst(doc: number): number;
  /** The sort value of a document: as answers show it, or a `TermValue`. */
  value(doc: number, score: number): Value;
  /** The key of a value for a slot; terms that the segment does not have lie between their neighbours. */
  keyOf(slot: number, value: Value): number;
  /** What the key of an earlier segment's document was made of, for `keyOf`; for segmental criteria only. */
  termOf(doc: number): string | null;
}
