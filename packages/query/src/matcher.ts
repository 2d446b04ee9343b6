import type { SegmentView } from './searcher.js';

/**
 * Matches of a plan in one segment, taken a window at a time. A matcher goes forward only. Deleted documents are not
 * filtered here: the loop that drives it does that once.
 */
export interface Matcher {
  /** Upper bound of matches, for ordering conjunctions. */
  readonly cost: number;
  /**
   * Writes matching documents of [from, to), ascending, into `docs` and, when `scores` is given, their scores beside them.
   * `to - from` is at most WINDOW_DOCS. Returns how many. Calls come with rising, non-overlapping windows; windows may be left out.
   */
  window(from: number, to: number, docs: Int32Array, scores: Float32Array | null): number;
  /**
   * Keeps those of the `count` ascending candidate documents in `docs` that match (compacting `docs`, and `scores` beside it:
   * adds this matcher's score when `scores` is given). Returns how many remain. Cheaper than `window` for few candidates.
   */
  filter(docs: Int32Array, count: number, scores: Float32Array | null): number;
  /** Smallest match >= target, or NO_MORE_DOCS; an approximation that may return non-matches is not allowed. */
  next(target: number): number;
  /** Upper bound of the score in [from, to): lets top-k skip windows. Infinity when unknown. */
  maxScore(from: number, to: number): number;
}

/** A plan bound to one searcher's statistics; makes a matcher for each of its segments. */
export interface Weight {
  matcher(segment: SegmentView, needsScores: boolean): Matcher | null;
}
