import type { LeafCollector, ShardCollector } from '@shoal/aggregations';
import { type BitSet, cloneBitSet, NO_MORE_DOCS, WINDOW_DOCS } from '@shoal/segments';
import {
  keepMinScore,
  type Matcher,
  type Progress,
  type Searcher,
  type SegmentView,
  type SlowPart,
  type Weight,
} from '@shoal/query';
import type { HitCollector } from './hit-collector.js';
import { walkOrder, type WalkPart, wholeSegment } from './walk-order.js';
import { WindowPace } from './window-pace.js';

/** Inputs of one pass over the matches of a shard. */
export interface Pass {
  readonly searcher: Searcher;
  readonly weight: Weight;
  readonly postFilter: Weight | null;
  readonly hits: HitCollector;
  readonly aggregations: ShardCollector | null;
  readonly minScore: number | null;
  /** Number of matches up to which all are counted; beyond it matches may be skipped. */
  readonly countMax: number;
  /** Documents that pass all filters after which the pass ends; 0 for all. */
  readonly terminateAfter: number;
  readonly timeoutMs: number | null;
  readonly progress: Progress;
  readonly trackMaxScore: boolean;
  /** Work on a segment before `weight` makes its matcher. */
  readonly slowParts: readonly SlowPart[];
  /** Whether a document may take long; windows then begin small. */
  readonly isSlow: boolean;
  /** Documents of a window at most. */
  readonly windowMax: number;
}

/** Result of one pass over the matches of a shard. */
export interface PassResult {
  readonly count: number;
  /** Whether matches were skipped once `countMax` was passed. */
  readonly isLowerBound: boolean;
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean;
  /** NaN when no document was scored. */
  readonly maxScore: number;
}

/** Returns the bits of the documents that may be hits: live root documents. Null when all documents may. */
export function acceptedWords(view: SegmentView): Int32Array | null {
  const roots = view.reader.roots;
  if (roots === null) return view.live === null ? null : view.live.words;
  return view.live === null ? roots.words : intersection(roots, view.live).words;
}

function intersection(a: BitSet, b: BitSet): BitSet {
  const both = cloneBitSet(a);
  for (let w = 0; w < both.words.length; w++) both.words[w]! &= b.words[w]!;
  return both;
}

/**
 * Working arrays for the documents and scores of one window, and for documents of several windows that are collected
 * together.
 */
interface WindowSpace {
  readonly docs: Int32Array;
  readonly scores: Float64Array;
  readonly gathered: Int32Array;
}

const SPACE_BYTES = WINDOW_DOCS * 16;

/**
 * A window with at least this many matches is passed to the aggregations directly. Matches of smaller windows are
 * gathered first, because each `collect` call has a fixed cost.
 */
const DIRECT_DOCS = 1024;

const SLOW_PARTS_MANY = 4;

/** Returns the working arrays that earlier requests left in the searcher's cache. */
function idleSpaces(searcher: Searcher): WindowSpace[] {
  return searcher.cache.get<WindowSpace[]>('windows', () => ({ value: [], bytes: SPACE_BYTES }));
}

/** Runs the matches of all segments through counting, aggregations, post filter and hit collector. */
export async function collectMatches(pass: Pass): Promise<PassResult> {
  const idle = idleSpaces(pass.searcher);
  const space = idle.pop() ?? {
    docs: new Int32Array(WINDOW_DOCS),
    scores: new Float64Array(WINDOW_DOCS),
    gathered: new Int32Array(WINDOW_DOCS),
  };
  const run = new MatchPass(pass, space);
  const parts = orderOf(pass);
  for (const part of parts ?? pass.searcher.segments.map(wholeSegment)) {
    if (run.isOver) break;
    if (parts === null || !run.isRuledOut(part)) await run.part(part);
  }
  if (idle.length === 0) idle.push(space);
  return run.result();
}

/**
 * Returns the windows in the order in which they are looked at; null for the order of the documents: aggregations and
 * an early end need that, and where matchers take long, each segment has one.
 */
function orderOf({ searcher, hits, aggregations, terminateAfter, slowParts, isSlow }: Pass): WalkPart[] | null {
  const { anyOrder } = hits;
  if (anyOrder === undefined || aggregations !== null || terminateAfter > 0 || slowParts.length > 0 || isSlow)
    return null;
  return walkOrder(searcher.segments, anyOrder.size, anyOrder.promise);
}

class MatchPass {
  readonly #pass: Pass;
  readonly #needsScores: boolean;
  readonly #docs: Int32Array;
  readonly #scores: Float64Array | null;
  readonly #gathered: Int32Array;
  readonly #pace: WindowPace;
  #gatheredCount = 0;
  /** Matches of the window that was looked at last. */
  #matches = 0;
  #aggregationScores: Float32Array | null = null;
  #count = 0;
  #isLowerBound = false;
  #timedOut = false;
  #terminatedEarly = false;
  #maxScore = Number.NaN;
  isOver = false;

  constructor(pass: Pass, space: WindowSpace) {
    this.#pass = pass;
    this.#docs = space.docs;
    this.#gathered = space.gathered;
    this.#pace = new WindowPace(pass.progress, pass.isSlow, pass.windowMax);
    this.#needsScores =
      pass.hits.needsScores || pass.aggregations?.needsScores === true || pass.minScore !== null || pass.trackMaxScore;
    this.#scores = this.#needsScores ? space.scores : null;
    if (pass.aggregations?.needsScores === true) this.#aggregationScores = new Float32Array(WINDOW_DOCS);
  }

  result(): PassResult {
    return {
      count: this.#count,
      isLowerBound: this.#isLowerBound,
      timedOut: this.#timedOut,
      terminatedEarly: this.#terminatedEarly,
      maxScore: this.#maxScore,
    };
  }

  /** Returns whether no document of these windows can become a hit, and none has to be counted. */
  isRuledOut({ view, runs }: WalkPart): boolean {
    if (!this.#mayPrune(null)) return false;
    const { hits } = this.#pass;
    hits.start(view);
    for (const [from, to] of runs)
      for (let doc = from; doc < to; doc += WINDOW_DOCS) if (!hits.rulesOut(doc)) return false;
    this.#isLowerBound = true;
    return true;
  }

  async part(part: WalkPart): Promise<void> {
    const { view } = part;
    const { weight, postFilter, hits, aggregations } = this.#pass;
    const leaf = aggregations?.segment(view) ?? null;
    await this.#prepare(view);
    if (this.isOver) return;
    const matcher = weight.matcher(view, this.#needsScores);
    if (matcher === null) return;
    const filter = postFilter === null ? null : postFilter.matcher(view, false);
    if (filter === null && postFilter !== null && leaf === null) return;
    // The matchers of thousands of clauses take long to make.
    if (this.#pass.isSlow && this.#pass.progress.sliceOver()) await this.#pause();
    if (this.isOver) return;
    hits.start(view);
    this.#pace.resume();
    await this.#windows(part, matcher, filter, leaf);
    if (leaf !== null) this.#flush(leaf);
  }

  /** Finds the terms of many patterns with pauses; those of a few are found when the matcher is made. */
  async #prepare(view: SegmentView): Promise<void> {
    const { slowParts, progress } = this.#pass;
    if (slowParts.length < SLOW_PARTS_MANY) return;
    for (const part of slowParts) {
      part(view);
      if (progress.sliceOver()) await this.#pause();
      if (this.isOver) return;
    }
  }

  async #windows(
    { view, runs }: WalkPart,
    matcher: Matcher,
    filter: Matcher | null,
    leaf: LeafCollector | null,
  ): Promise<void> {
    const accepted = acceptedWords(view);
    const { maxDoc } = view;
    let from = -1;
    for (const [start, end] of runs) {
      if (from < start) from = matcher.next(start);
      while (from < end) {
        const to = this.#pace.endFrom(from, maxDoc);
        if (this.#mayPrune(leaf) && this.#prune(from, matcher)) this.#isLowerBound = true;
        else this.#window(from, to, matcher, accepted, filter, leaf);
        if (leaf?.fits !== undefined) await this.#pieces(leaf);
        if (this.isOver) return;
        this.#pace.next(this.#matches);
        if (this.#pass.progress.sliceOver()) await this.#pause();
        if (this.isOver) return;
        from = to < maxDoc ? matcher.next(to) : NO_MORE_DOCS;
      }
    }
  }

  async #pause(): Promise<void> {
    const { progress } = this.#pass;
    this.#checkTime(progress.check());
    await progress.yield();
    this.#checkTime(progress.check());
    this.#pace.resume();
  }

  #checkTime(deadlinePassed: boolean): void {
    const { timeoutMs, progress } = this.#pass;
    const isLate = timeoutMs !== null && (progress.elapsedMs?.() ?? 0) > timeoutMs;
    if (!deadlinePassed && !isLate) return;
    this.#timedOut = true;
    this.isOver = true;
  }

  /** Returns whether matches that cannot become hits may be skipped: counting is over and nothing else needs them. */
  #mayPrune(leaf: LeafCollector | null): boolean {
    const { countMax, terminateAfter, minScore, trackMaxScore } = this.#pass;
    return leaf === null && terminateAfter === 0 && minScore === null && !trackMaxScore && this.#count > countMax;
  }

  /** Tells the matcher the smallest score that matters. Returns true if no document of the window can become a hit. */
  #prune(from: number, matcher: Matcher): boolean {
    const { hits } = this.#pass;
    const least = hits.minScore();
    if (least > 0) matcher.setMinScore?.(least);
    return hits.rulesOut(from);
  }

  #window(
    from: number,
    to: number,
    matcher: Matcher,
    accepted: Int32Array | null,
    filter: Matcher | null,
    leaf: LeafCollector | null,
  ): void {
    const { minScore, postFilter, terminateAfter } = this.#pass;
    const docs = this.#docs;
    const scores = this.#scores;
    this.#matches = 0;
    let count = matcher.window(from, to, docs, scores);
    if (accepted !== null && count > 0) count = keepAccepted(accepted, docs, count, scores);
    if (minScore !== null) count = keepMinScore(minScore, docs, scores!, count);
    this.#matches = count;
    if (count === 0) return;
    if (postFilter !== null && terminateAfter > 0) return this.#filteredToEnd(count, filter, leaf);
    count = this.#limit(count);
    if (leaf !== null) this.#aggregate(leaf, count);
    if (postFilter !== null) count = filter === null ? 0 : sift(filter, docs, count, scores);
    this.#takeHits(docs, scores, count);
  }

  /**
   * Takes a window of a search that ends after some documents that pass its filter of hits: which do is known before
   * any is aggregated.
   */
  #filteredToEnd(count: number, filter: Matcher | null, leaf: LeafCollector | null): void {
    const docs = this.#docs.slice(0, count);
    const scores = this.#scores?.slice(0, count) ?? null;
    const passing = filter === null ? 0 : sift(filter, docs, count, scores);
    const kept = this.#limit(passing);
    const seen = kept < passing ? this.#docs.indexOf(docs[kept]!) : count;
    if (leaf !== null) this.#aggregate(leaf, seen);
    this.#takeHits(docs, scores, kept);
  }

  #takeHits(docs: Int32Array, scores: Float64Array | null, count: number): void {
    this.#count += count;
    if (this.#pass.trackMaxScore && scores !== null) this.#noteMax(scores, count);
    if (count > 0) this.#pass.hits.offer(docs, scores, count);
  }

  /** Passes the window's documents to the aggregations; few documents are gathered with those of other windows. */
  #aggregate(leaf: LeafCollector, count: number): void {
    if (leaf.fits !== undefined) return this.#hold(count);
    if (this.#aggregationScores !== null) return leaf.collect(this.#docs, count, this.#forAggregations(count));
    // Small windows are timed one by one, so each is collected in its own time.
    const isDirect = count >= DIRECT_DOCS || !this.#pace.isWhole;
    if (isDirect || this.#gatheredCount + count > WINDOW_DOCS) this.#flush(leaf);
    if (isDirect) return leaf.collect(this.#docs, count, null);
    for (let i = 0, at = this.#gatheredCount; i < count; i++) this.#gathered[at + i] = this.#docs[i]!;
    this.#gatheredCount += count;
  }

  /** Keeps the window's documents for `#pieces`: hits change the arrays of the window. */
  #hold(count: number): void {
    this.#gathered.set(this.#docs.subarray(0, count));
    this.#gatheredCount = count;
    this.#forAggregations(count);
  }

  /** Passes the documents that are held to the aggregations, as many in a turn as those allow. */
  async #pieces(leaf: LeafCollector): Promise<void> {
    const count = this.#gatheredCount;
    this.#gatheredCount = 0;
    const isOver = this.isOver;
    this.isOver = false;
    await collectInPieces(leaf, this.#gathered, count, this.#aggregationScores, async () => {
      if (this.#pass.progress.sliceOver()) await this.#pause();
      return !this.isOver;
    });
    this.isOver ||= isOver;
  }

  #flush(leaf: LeafCollector): void {
    if (this.#gatheredCount > 0) leaf.collect(this.#gathered, this.#gatheredCount, null);
    this.#gatheredCount = 0;
  }

  /** How many of `count` documents are left until the end. As in 8.12 it comes with the first document behind it. */
  #limit(count: number): number {
    const { terminateAfter } = this.#pass;
    if (terminateAfter === 0 || this.#count + count <= terminateAfter) return count;
    this.#terminatedEarly = true;
    this.isOver = true;
    return terminateAfter - this.#count;
  }

  #forAggregations(count: number): Float32Array | null {
    if (this.#aggregationScores === null) return null;
    for (let i = 0; i < count; i++) this.#aggregationScores[i] = this.#scores![i]!;
    return this.#aggregationScores;
  }

  #noteMax(scores: Float64Array, count: number): void {
    let max = Number.isNaN(this.#maxScore) ? Number.NEGATIVE_INFINITY : this.#maxScore;
    for (let i = 0; i < count; i++) if (scores[i]! > max) max = scores[i]!;
    if (max !== Number.NEGATIVE_INFINITY) this.#maxScore = max;
  }
}

/** Gives documents to `leaf`, as many at once as fit; `goesOn` is asked in between. */
async function collectInPieces(
  leaf: LeafCollector,
  docs: Int32Array,
  count: number,
  scores: Float32Array | null,
  goesOn: () => Promise<boolean>,
): Promise<void> {
  for (let from = 0; from < count; ) {
    const rest = docs.subarray(from, count);
    const fitting = leaf.fits?.(rest, rest.length) ?? rest.length;
    leaf.collect(rest, fitting, scores === null ? null : scores.subarray(from, count));
    from += fitting;
    if (!(await goesOn())) return;
  }
}

/** Keeps documents whose bit is set, and their scores. Returns how many remain. */
function keepAccepted(words: Int32Array, docs: Int32Array, count: number, scores: Float64Array | null): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!;
    if ((words[doc >>> 5]! & (1 << (doc & 31))) === 0) continue;
    docs[kept] = doc;
    if (scores !== null) scores[kept] = scores[i]!;
    kept++;
  }
  return kept;
}

/** Keeps the documents that an unscored filter matches, and their existing scores. Returns how many remain. */
function sift(filter: Matcher, docs: Int32Array, count: number, scores: Float64Array | null): number {
  if (scores === null) return filter.filter(docs, count, null);
  const before = docs.slice(0, count);
  const kept = filter.filter(docs, count, null);
  for (let i = 0, k = 0; k < kept; i++) if (before[i] === docs[k]) scores[k++] = scores[i]!;
  return kept;
}

/** Runs `global` aggregations over all documents, or those that the filter of the search's alias shows. */
export async function collectGlobals(
  { searcher, aggregations, progress, isSlow, windowMax }: Pass,
  filter: Weight | null,
): Promise<void> {
  let docs: Int32Array | null = null;
  const pace = new WindowPace(progress, isSlow, windowMax);
  for (const view of searcher.segments) {
    const leaf = aggregations?.globalSegment(view) ?? null;
    if (leaf === null) continue;
    const shown = filter === null ? null : filter.matcher(view, false);
    if (filter !== null && shown === null) continue;
    docs ??= new Int32Array(WINDOW_DOCS);
    const accepted = acceptedWords(view);
    for (let from = 0, to = 0; from < view.maxDoc; from = to) {
      to = pace.endFrom(from, view.maxDoc);
      let count = 0;
      for (let doc = from; doc < to; doc++) docs[count++] = doc;
      if (accepted !== null) count = keepAccepted(accepted, docs, count, null);
      if (shown !== null) count = shown.filter(docs, count, null);
      const giveWay = async (): Promise<boolean> => {
        if (!progress.sliceOver()) return true;
        progress.check();
        await progress.yield();
        pace.resume();
        return true;
      };
      if (leaf.fits !== undefined) await collectInPieces(leaf, docs, count, null, giveWay);
      else if (count > 0) leaf.collect(docs, count, null);
      pace.next(count);
      await giveWay();
    }
  }
}
