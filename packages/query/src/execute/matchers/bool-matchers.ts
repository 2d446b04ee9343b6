import { NO_MORE_DOCS, WINDOW_DOCS } from '@shoal/segments';
import type { Matcher } from '../../matcher.js';
import { accumulate, addScores, type WindowBuffer, windowBuffer } from './gather.js';
import type { Scratch } from '../scratch.js';
import { drainDocs, drainSums, keepCompetitive, keepCounted, roundScores, subtractDocs } from '../window.kernel.js';

/** Returns a bound slightly below `minimum`: every score that rounds to `minimum` as a float is above the bound. */
export function slack(minimum: number): number {
  return minimum * (1 - 2 ** -22);
}

const NO_DOCS = new Int32Array(0);

/**
 * Returns an array for `count` documents of a window, twice as long as needed so that windows of similar size can use
 * it again.
 */
function roomForDocs(count: number, scratch: Scratch | undefined): Int32Array<ArrayBuffer> {
  const length = Math.min(WINDOW_DOCS, count * 2);
  return scratch?.ints(length) ?? new Int32Array(length);
}

/**
 * Documents that match all of several matchers. The matcher with the fewest documents proposes candidates, the others
 * filter them.
 */
export class ConjunctionMatcher implements Matcher {
  readonly cost: number;
  /** In order of rising cost. */
  readonly #matchers: readonly Matcher[];
  readonly #isScoring: readonly boolean[];
  readonly #scoring: readonly Matcher[];
  #minScore = 0;

  constructor(scoring: readonly Matcher[], filters: readonly Matcher[]) {
    const all = [...scoring, ...filters].sort((a, b) => a.cost - b.cost);
    this.#matchers = all;
    this.#isScoring = all.map((matcher) => scoring.includes(matcher));
    this.#scoring = scoring;
    this.cost = all[0]!.cost;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    if (this.#minScore > 0 && this.maxScore(from, to) < slack(this.#minScore)) return 0;
    const leads = this.#isScoring[0]!;
    let count = this.#matchers[0]!.window(from, to, docs, leads ? scores : null);
    if (scores !== null && !leads) scores.fill(0, 0, count);
    for (let i = 1; i < this.#matchers.length && count > 0; i++) count = this.#sift(i, docs, count, scores);
    if (scores !== null) roundScores(scores, count);
    return count;
  }

  #sift(i: number, docs: Int32Array, count: number, scores: Float64Array | null): number {
    if (scores === null || this.#isScoring[i]!) return this.#matchers[i]!.filter(docs, count, scores);
    return siftScored(this.#matchers[i]!, docs, count, scores);
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    if (scores === null) {
      let kept = count;
      for (let i = 0; i < this.#matchers.length && kept > 0; i++) kept = this.#matchers[i]!.filter(docs, kept, null);
      return kept;
    }
    return filterRounded(docs, count, scores, (sums) => {
      let kept = count;
      for (let i = 0; i < this.#matchers.length && kept > 0; i++) kept = this.#siftBeside(i, docs, kept, scores, sums);
      return kept;
    });
  }

  #siftBeside(i: number, docs: Int32Array, count: number, scores: Float64Array, sums: Float64Array): number {
    const before = docs.slice(0, count);
    const kept = this.#matchers[i]!.filter(docs, count, this.#isScoring[i]! ? sums : null);
    compactBeside(before, count, docs, kept, scores);
    if (!this.#isScoring[i]!) compactBeside(before, count, docs, kept, sums);
    return kept;
  }

  next(target: number): number {
    let doc = this.#matchers[0]!.next(target);
    if (this.#matchers.length > 1 && doc !== NO_MORE_DOCS) {
      const other = this.#matchers[1]!.next(doc);
      if (other > doc) doc = other;
    }
    return doc;
  }

  maxScore(from: number, to: number): number {
    let sum = 0;
    for (const matcher of this.#scoring) sum += matcher.maxScore(from, to);
    return sum;
  }

  setMinScore(score: number): void {
    this.#minScore = score;
    if (this.#scoring.length === 1) this.#scoring[0]!.setMinScore?.(score);
  }
}

/** Compacts `values`, which lie beside `before`, to the documents of `kept`. Both lists of documents ascend. */
function compactBeside(
  before: Int32Array,
  count: number,
  kept: Int32Array,
  keptCount: number,
  values: Float64Array,
): void {
  let k = 0;
  for (let i = 0; i < count && k < keptCount; i++) {
    if (before[i] !== kept[k]) continue;
    values[k++] = values[i]!;
  }
}

/** Filters documents by a matcher whose scores do not count, and compacts the existing `scores` with them. */
function siftScored(matcher: Matcher, docs: Int32Array, count: number, scores: Float64Array): number {
  const before = docs.slice(0, count);
  const kept = matcher.filter(docs, count, null);
  if (kept < count) compactBeside(before, count, docs, kept, scores);
  return kept;
}

/** Runs a filter that sums several clauses on an array of its own, then adds the sums to `scores` rounded to floats. */
function filterRounded(
  _docs: Int32Array,
  count: number,
  scores: Float64Array,
  run: (sums: Float64Array) => number,
): number {
  const sums = new Float64Array(count);
  const kept = run(sums);
  for (let i = 0; i < kept; i++) scores[i]! += Math.fround(sums[i]!);
  return kept;
}

/** From this number of clauses on it is watched whether bounds of windows are worth their cost. */
const MANY_CLAUSES = 16;
/** Windows that are summed up whole, before the first look at bounds and after one that was of no use. */
const WHOLE_WINDOWS_MIN = 4;
/** Share of the documents of all clauses that has to be in clauses without candidates. */
const PASSIVE_SHARE_MIN = 0.5;

/**
 * Documents that match at least `minimum` of several matchers; the score is the sum. Once only documents above some
 * score count, windows are pruned by MaxScore (Turtle and Flood 1995; Lucene's MaxScoreBulkScorer). Clauses that
 * together cannot reach the score then propose no candidates. They only add to the scores of other clauses'
 * candidates.
 */
export class DisjunctionMatcher implements Matcher {
  readonly cost: number;
  readonly #matchers: readonly Matcher[];
  readonly #minimum: number;
  readonly #words: Int32Array;
  readonly #counts: Uint8Array | null;
  #sums: Float64Array | null = null;
  #buffer: WindowBuffer | null = null;
  #minScore = 0;
  #bounds: Float64Array | null = null;
  readonly #gains: Float64Array;
  readonly #scratchSpace: Scratch | undefined;
  /** Windows that are to be summed up whole, without a look at bounds, and how many were the last time. */
  #wholeWindows: number;
  #lastWhole = WHOLE_WINDOWS_MIN;

  constructor(matchers: readonly Matcher[], minimum: number, scratch?: Scratch) {
    this.#matchers = matchers;
    this.#wholeWindows = matchers.length < MANY_CLAUSES ? 0 : WHOLE_WINDOWS_MIN;
    this.#gains = new Float64Array(matchers.length);
    this.#minimum = minimum;
    this.#scratchSpace = scratch;
    this.#words = scratch?.words() ?? new Int32Array(WINDOW_DOCS / 32);
    this.#counts = minimum > 1 ? (scratch?.counts() ?? new Uint8Array(WINDOW_DOCS)) : null;
    this.cost = matchers.reduce((sum, matcher) => sum + matcher.cost, 0);
  }

  #newSums(): Float64Array {
    return this.#scratchSpace?.doubles() ?? new Float64Array(WINDOW_DOCS);
  }

  #scratch(): WindowBuffer {
    this.#buffer ??= windowBuffer(this.#scratchSpace);
    return this.#buffer;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    if (scores !== null && this.#minScore > 0) return this.#prunedWindow(from, to, docs, scores);
    if (scores !== null) this.#sums ??= this.#newSums();
    this.#gather(from, to, scores === null ? null : this.#sums, null);
    const count = this.#drain(from, to, docs, scores);
    if (scores !== null) roundScores(scores, count);
    return count;
  }

  #gather(from: number, to: number, sums: Float64Array | null, chosen: readonly number[] | null): void {
    if (chosen !== null) {
      for (const i of chosen) this.#gatherOne(this.#matchers[i]!, from, to, sums);
      return;
    }
    for (let i = 0; i < this.#matchers.length; i++) this.#gatherOne(this.#matchers[i]!, from, to, sums);
  }

  #gatherOne(matcher: Matcher, from: number, to: number, sums: Float64Array | null): void {
    if (matcher.accumulate !== undefined) matcher.accumulate(from, to, sums, this.#words, this.#counts);
    else accumulate(matcher, from, to, sums, this.#words, this.#counts, this.#scratch());
  }

  #drain(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    const wordCount = (to - from + 31) >>> 5;
    const count =
      scores === null
        ? drainDocs(this.#words, wordCount, from, docs)
        : drainSums(this.#words, wordCount, from, this.#sums!, docs, scores);
    return this.#counts === null ? count : keepCounted(docs, count, from, this.#counts, this.#minimum, scores);
  }

  #prunedWindow(from: number, to: number, docs: Int32Array, scores: Float64Array): number {
    const least = slack(this.#minScore);
    if (this.#wholeWindows > 0) {
      this.#wholeWindows--;
      return this.#wholeWindow(from, to, docs, scores, least);
    }
    const bounds = this.#windowBounds(from, to);
    const order = this.#byGain(bounds);
    const sums = prefixSums(order, bounds);
    if (sums[sums.length - 1]! < least) return 0;
    const passive = this.#counts === null ? sums.findIndex((sum) => sum >= least) : 0;
    if (!this.#isWorthPruning(order, passive)) return this.#wholeWindow(from, to, docs, scores, least);
    this.#sums ??= this.#newSums();
    this.#gather(from, to, this.#sums, order.slice(passive));
    let count = this.#drain(from, to, docs, scores);
    for (let i = passive - 1; i >= 0 && count > 0; i--) {
      count = keepCompetitive(docs, scores, count, sums[i]!, least);
      addScores(this.#matchers[order[i]!]!, docs, count, scores, this.#scratch());
    }
    count = keepCompetitive(docs, scores, count, 0, least);
    roundScores(scores, count);
    return count;
  }

  #wholeWindow(from: number, to: number, docs: Int32Array, scores: Float64Array, least: number): number {
    this.#sums ??= this.#newSums();
    this.#gather(from, to, this.#sums, null);
    const count = keepCompetitive(docs, scores, this.#drain(from, to, docs, scores), 0, least);
    roundScores(scores, count);
    return count;
  }

  /**
   * Whether the clauses that propose no candidates have so many documents that looking up candidates in them costs less
   * than adding them up. Of many clauses of similar weight, as of sparse vectors, few are left out: then the bounds of
   * the next windows are not asked for either, of twice as many each time.
   */
  #isWorthPruning(order: readonly number[], passive: number): boolean {
    if (this.#matchers.length < MANY_CLAUSES) return true;
    let cost = 0;
    for (let i = 0; i < passive; i++) cost += this.#matchers[order[i]!]!.cost;
    if (cost >= this.cost * PASSIVE_SHARE_MIN) {
      this.#lastWhole = WHOLE_WINDOWS_MIN;
      return true;
    }
    this.#lastWhole *= 2;
    this.#wholeWindows = this.#lastWhole;
    return false;
  }

  /**
   * The clauses by what they can add to a score for each document they would propose, so that long lists of which
   * little can come are left out first, as in Lucene. Weights of sparse vectors are as high in long lists as in short
   * ones.
   */
  #byGain(bounds: Float64Array): number[] {
    const gains = this.#gains;
    for (let i = 0; i < bounds.length; i++) gains[i] = bounds[i]! / Math.max(1, this.#matchers[i]!.cost);
    return [...bounds.keys()].sort((a, b) => gains[a]! - gains[b]!);
  }

  #windowBounds(from: number, to: number): Float64Array {
    this.#bounds ??= new Float64Array(this.#matchers.length);
    for (let i = 0; i < this.#matchers.length; i++) this.#bounds[i] = this.#matchers[i]!.maxScore(from, to);
    return this.#bounds;
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    if (count === 0) return 0;
    const buffer = this.#scratch();
    const sums = scores === null ? null : new Float64Array(count);
    const hits = new Uint8Array(count);
    for (const matcher of this.#matchers) {
      for (let i = 0; i < count; i++) buffer.docs[i] = docs[i]!;
      if (sums !== null) buffer.scores.fill(0, 0, count);
      const matched = matcher.filter(buffer.docs, count, sums === null ? null : buffer.scores);
      tally(docs, count, buffer, matched, hits, sums);
    }
    return keepHit(docs, count, hits, Math.max(1, this.#minimum), scores, sums);
  }

  next(target: number): number {
    // While pruning, `next` of each clause would decode blocks that are going to be skipped.
    if (this.#minScore > 0) return target;
    let first = NO_MORE_DOCS;
    for (const matcher of this.#matchers) {
      const doc = matcher.next(target);
      if (doc < first) first = doc;
    }
    return first;
  }

  maxScore(from: number, to: number): number {
    let sum = 0;
    for (const matcher of this.#matchers) sum += matcher.maxScore(from, to);
    return sum;
  }

  setMinScore(score: number): void {
    this.#minScore = score;
  }
}

function prefixSums(order: readonly number[], bounds: Float64Array): number[] {
  let sum = 0;
  return order.map((i) => (sum += bounds[i]!));
}

/** Counts which of `docs` are among the `matched` first of `buffer` and adds their scores. */
function tally(
  docs: Int32Array,
  count: number,
  buffer: WindowBuffer,
  matched: number,
  hits: Uint8Array,
  sums: Float64Array | null,
): void {
  let m = 0;
  for (let i = 0; i < count && m < matched; i++) {
    if (buffer.docs[m] !== docs[i]) continue;
    if (hits[i]! < 255) hits[i]!++;
    if (sums !== null) sums[i]! += buffer.scores[m]!;
    m++;
  }
}

function keepHit(
  docs: Int32Array,
  count: number,
  hits: Uint8Array,
  minimum: number,
  scores: Float64Array | null,
  sums: Float64Array | null,
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (hits[i]! < minimum) continue;
    docs[kept] = docs[i]!;
    if (scores !== null) scores[kept] = scores[i]! + Math.fround(sums![i]!);
    kept++;
  }
  return kept;
}

/**
 * Documents of one matcher, scored higher where optional matchers match too. Sums are floats: required score first,
 * then the optional one.
 */
export class RequiredOptionalMatcher implements Matcher {
  readonly cost: number;
  readonly #required: Matcher;
  readonly #scratch: Scratch | undefined;
  readonly #optional: Matcher;
  #buffer: WindowBuffer | null = null;
  #minScore = 0;

  constructor(required: Matcher, optional: Matcher, scratch?: Scratch) {
    this.#scratch = scratch;
    this.#required = required;
    this.#optional = optional;
    this.cost = required.cost;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    if (this.#minScore > 0 && this.maxScore(from, to) < slack(this.#minScore)) return 0;
    const count = this.#required.window(from, to, docs, scores);
    if (scores !== null && count > 0) {
      this.#add(docs, count, scores);
      roundScores(scores, count);
    }
    return count;
  }

  #add(docs: Int32Array, count: number, scores: Float64Array): void {
    if (this.#optional.add !== undefined) this.#optional.add(docs, count, scores);
    else addScores(this.#optional, docs, count, scores, (this.#buffer ??= windowBuffer(this.#scratch)));
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    if (scores === null) return this.#required.filter(docs, count, null);
    const before = docs.slice(0, count);
    const sums = new Float64Array(count);
    const kept = this.#required.filter(docs, count, sums);
    this.#add(docs, kept, sums);
    compactBeside(before, count, docs, kept, scores);
    for (let i = 0; i < kept; i++) scores[i]! += Math.fround(sums[i]!);
    return kept;
  }

  next(target: number): number {
    return this.#required.next(target);
  }

  maxScore(from: number, to: number): number {
    return this.#required.maxScore(from, to) + this.#optional.maxScore(from, to);
  }

  setMinScore(score: number): void {
    this.#minScore = score;
  }
}

/** Documents that one matcher matches and another does not. */
export class ExclusionMatcher implements Matcher {
  readonly cost: number;
  readonly #matcher: Matcher;
  readonly #excluded: Matcher;
  readonly #scratch: Scratch | undefined;
  #drop = NO_DOCS;

  constructor(matcher: Matcher, excluded: Matcher, scratch?: Scratch) {
    this.#scratch = scratch;
    this.#matcher = matcher;
    this.#excluded = excluded;
    this.cost = matcher.cost;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    return this.#exclude(docs, this.#matcher.window(from, to, docs, scores), scores);
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    return this.#exclude(docs, this.#matcher.filter(docs, count, scores), scores);
  }

  #exclude(docs: Int32Array, count: number, scores: Float64Array | null): number {
    if (count === 0) return 0;
    if (this.#drop.length < count) this.#drop = roomForDocs(count, this.#scratch);
    for (let i = 0; i < count; i++) this.#drop[i] = docs[i]!;
    const dropped = this.#excluded.filter(this.#drop, count, null);
    return dropped === 0 ? count : subtractDocs(docs, count, scores, this.#drop, dropped);
  }

  next(target: number): number {
    return this.#matcher.next(target);
  }

  maxScore(from: number, to: number): number {
    return this.#matcher.maxScore(from, to);
  }

  setMinScore(score: number): void {
    this.#matcher.setMinScore?.(score);
  }
}
