import type { Value } from '@shoal/codec';
import type { SegmentView } from '../searcher.js';

/**
 * One criterion of a sort, bound to a searcher. Documents are compared by keys: doubles, of which the smaller sorts
 * first in either order. A criterion may need several keys (`slots`) to be exact.
 */
export interface SortKey {
  readonly slots: number;
  readonly needsScores: boolean;
  /** Whether a script makes the keys: documents may take long. */
  readonly runsScripts?: true;
  /** 1 for ascending values, -1 for descending ones. */
  readonly direction: 1 | -1;
  /** Returns the keys of one segment. With `isSegmental`, keys of different segments are not comparable. */
  segment(view: SegmentView): SegmentKeys;
  /**
   * True for terms: keys are ranks within the segment. At the next segment, `keyOf` computes new keys for documents of
   * earlier segments.
   */
  readonly isSegmental: boolean;
  /** Parses a value of `search_after` to a value for `keyOf`. Throws illegal_argument_exception. */
  parseAfter(value: unknown): Value;
}

/** The keys of one criterion in one segment. */
export interface SegmentKeys {
  /** Writes the keys of `count` ascending documents of the segment for a slot to `out`. */
  read(slot: number, docs: Int32Array, count: number, scores: Float64Array | null, out: Float64Array): void;
  /**
   * Returns a bound that no document in the block of WINDOW_DOCS around `doc` sorts before, by its first key; -Infinity
   * when unknown.
   */
  blockBest(doc: number): number;
  /** Returns a bound that no document in the block sorts behind, by its first key; Infinity when unknown. */
  blockWorst(doc: number): number;
  /** Returns the sort value of a document: as answers show it, or a `TermValue`. */
  value(doc: number, score: number): Value;
  /** Returns the key of a value for a slot. A term that the segment lacks gets a key between its neighbours. */
  keyOf(slot: number, value: Value): number;
  /**
   * Returns the term by which a document sorts, for `keyOf` of a later segment; null for none and for criteria that are
   * not segmental.
   */
  termOf(doc: number): string | null;
}
