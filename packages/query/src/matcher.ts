import type { SegmentView } from './searcher.js';

/**
 * Matches of a plan in one segment, taken a window at a time. A matcher goes forward only. Deleted documents are not
 * filtered here: the loop that drives it does that once.
 *
 * Scores travel in `Float64Array`s so that sums are made in double as in Lucene; every score that a matcher writes
 * has been rounded to a 32-bit float (`Math.fround`).
 */
export interface Matcher {
  /** About how many documents match, for ordering conjunctions. */
  readonly cost: number;
  /**
   * Writes matching documents of [from, to), ascending, into `docs` and, when `scores` is given, their scores beside
   * them. `to - from` is at most WINDOW_DOCS and the window does not cross a multiple of WINDOW_DOCS. Returns how many.
   * Calls come with rising, non-overlapping windows; windows may be left out.
   */
  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number;
  /**
   * Keeps those of the `count` ascending candidate documents in `docs` that match (compacting `docs`, and `scores`
   * beside it: adds this matcher's score when `scores` is given). Returns how many remain. Cheaper than `window` for
   * few candidates. `window` and `filter` of one matcher may alternate as long as documents rise.
   */
  filter(docs: Int32Array, count: number, scores: Float64Array | null): number;
  /** Returns a document >= target, itself a match or not, before which nothing matches; NO_MORE_DOCS at the end. */
  next(target: number): number;
  /**
   * Returns an upper bound of the score in [from, to), by which a top-k search skips windows; Infinity when unknown.
   * Ranges rise like windows. For a range longer than WINDOW_DOCS the answer is the bound of the whole segment, and the
   * range does not count for the order of calls.
   */
  maxScore(from: number, to: number): number;
  /**
   * Adds this matcher's scores to those of `docs` that match; leaves the other documents and their scores unchanged.
   * Like `filter` without dropping.
   */
  add?(docs: Int32Array, count: number, scores: Float64Array): void;
  /**
   * Returns how many of `count` ascending documents without repeats match; -1 where the caller should use `filter`
   * instead. Leaves `docs` unchanged. Documents rise over calls of `countAmong`, `window` and `filter`.
   */
  countAmong?(docs: Int32Array, count: number): number;
  /** Tells the matcher that documents scoring less than `score` may be left out from here on. */
  setMinScore?(score: number): void;
  /**
   * Adds the scores of matches in [from, to) to `sums[doc - from]`, sets their bits in `words` (bit doc - from) and
   * counts them in `counts`. A disjunction gathers its clauses this way. The effect equals summing the results of
   * `window`.
   */
  accumulate?(from: number, to: number, sums: Float64Array | null, words: Int32Array, counts: Uint8Array | null): void;
}

/** A plan bound to one searcher's statistics; makes a matcher for each of its segments. */
export interface Weight {
  /** Returns null when nothing in the segment matches. */
  matcher(segment: SegmentView, needsScores: boolean): Matcher | null;
  /**
   * Returns the exact number of matches in the segment, deleted documents included, if it is known without reading
   * postings or columns; else -1.
   */
  count?(segment: SegmentView): number;
  /** Returns what profiles show besides times, once the matchers are made. */
  debug?(): Readonly<Record<string, unknown>>;
}
