import { type Impacts, NO_MORE_DOCS, type PostingsCursor, type TermsReader, WINDOW_DOCS } from '@shoal/segments';
import type { Matcher } from '../../matcher.js';
import {
  gallop,
  markPostings,
  countPostings,
  scorePostings,
  scorePostingsFlat,
  sumConstant,
  sumPostings,
} from '../score.kernel.js';
import { sumProducts } from '../feature.kernel.js';
import { postingsOf, type Scratch } from '../scratch.js';
import { scoreOf, type TermScorer } from '../similarity.js';

/** Norm byte of documents in fields without norms: it stands for length 1. */
const NORM_OF_ONE = 1;

/** Returns the upper bound of the score in a block with these impacts. */
export function impactsScore(impacts: Impacts, scorer: TermScorer): number {
  let best = 0;
  for (let i = 0; i < impacts.count; i++) {
    const score = scoreOf(scorer, impacts.freqs[i]!, impacts.norms[i]!);
    if (score > best) best = score;
  }
  return scorer.model === null ? best : best * MODEL_SLACK;
}

/** Factor that keeps bounds above scores whose formula, in doubles, might fall by a rounding error. */
const MODEL_SLACK = 1 + 1e-6;

/** Upper bounds of a term's scores, read from the skip data alone with a cursor of its own. Moves forward only. */
class ScoreBounds {
  readonly #cursor: PostingsCursor;
  readonly #scorer: TermScorer;
  #blockEnd = -1;
  #blockScore = 0;

  constructor(cursor: PostingsCursor, scorer: TermScorer) {
    this.#cursor = cursor;
    this.#scorer = scorer;
  }

  #advance(target: number): void {
    if (target <= this.#blockEnd) return;
    this.#blockEnd = this.#cursor.shallowAdvance(target);
    this.#blockScore = this.#blockEnd === NO_MORE_DOCS ? 0 : impactsScore(this.#cursor.impacts(), this.#scorer);
  }

  max(from: number, to: number): number {
    this.#advance(from);
    let best = this.#blockScore;
    while (this.#blockEnd < to - 1) {
      this.#advance(this.#blockEnd + 1);
      if (this.#blockScore > best) best = this.#blockScore;
    }
    return best;
  }

  /** Returns the first document >= target in a block where a score of `minimum` is possible. */
  nextCompetitive(target: number, minimum: number): number {
    this.#advance(target);
    let from = target;
    while (this.#blockScore < minimum && this.#blockEnd !== NO_MORE_DOCS) {
      from = this.#blockEnd + 1;
      this.#advance(from);
    }
    return this.#blockEnd === NO_MORE_DOCS ? NO_MORE_DOCS : from;
  }
}

/** Documents of one posting list, scored by BM25; without a scorer all documents have one score. */
export class TermMatcher implements Matcher {
  readonly cost: number;
  readonly #terms: TermsReader;
  readonly #ordinal: number;
  readonly #cursor: PostingsCursor;
  readonly #scorer: TermScorer | null;
  readonly #norms: Uint8Array | null;
  /** The score of every document if it does not depend on the document. */
  readonly #flatScore: number;
  readonly #isFlat: boolean;
  /** The factor of a feature's values, if the scores are products. */
  readonly #linearWeight: number | null;
  #bounds: ScoreBounds | null = null;
  #globalMax = -1;
  #minScore = 0;
  #docs: Int32Array;
  readonly #scratch: Scratch | undefined;
  #at = 0;
  #size = 0;

  constructor(
    terms: TermsReader,
    ordinal: number,
    norms: Uint8Array | null,
    scorer: TermScorer | null,
    constantScore: number,
    scratch?: Scratch,
  ) {
    this.#scratch = scratch;
    this.#terms = terms;
    this.#ordinal = ordinal;
    this.#cursor = postingsOf(terms, ordinal, scratch);
    this.cost = this.#cursor.docFreq;
    this.#scorer = scorer;
    this.#norms = norms;
    this.#docs = this.#cursor.docs;
    this.#isFlat = scorer === null || scorer.isConstant || (norms === null && !terms.layout.freqs);
    this.#linearWeight = scorer?.model?.terms === null ? scorer.model.linearWeight : null;
    this.#flatScore = scorer === null ? constantScore : this.#isFlat ? scoreOf(scorer, 1, NORM_OF_ONE) : 0;
  }

  /** Goes to the first posting >= target; false at the end. */
  #seek(target: number): boolean {
    if (this.#at < this.#size && this.#docs[this.#size - 1]! >= target) {
      this.#at = gallop(this.#docs, this.#at, this.#size, target);
      return true;
    }
    if (this.#size === -1) return false;
    this.#size = this.#cursor.advanceBlock(target);
    return this.#loaded(target);
  }

  #loaded(target: number): boolean {
    if (this.#size === 0) {
      this.#size = -1;
      this.#at = 0;
      return false;
    }
    this.#docs = this.#cursor.docs;
    this.#at = gallop(this.#docs, 0, this.#size, target);
    return true;
  }

  #nextBlock(): boolean {
    const last = this.#docs[this.#size - 1]!;
    if (this.#minScore > 0 && !this.#isFlat) {
      const target = this.#boundsCursor().nextCompetitive(last + 1, this.#minScore);
      this.#size = target === NO_MORE_DOCS ? 0 : this.#cursor.advanceBlock(target);
      return this.#loaded(target);
    }
    this.#size = this.#cursor.nextBlock();
    return this.#loaded(0);
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    if (this.#isFlat && this.#minScore > this.#flatScore) return 0;
    let n = 0;
    if (!this.#seek(from)) return 0;
    for (;;) {
      const block = this.#docs;
      const start = this.#at;
      const end = block[this.#size - 1]! < to ? this.#size : gallop(block, start, this.#size, to);
      for (let i = start, o = n; i < end; i++, o++) docs[o] = block[i]!;
      if (scores !== null) this.#score(start, end, scores, n);
      n += end - start;
      this.#at = end;
      if (end < this.#size || !this.#nextBlock()) return n;
    }
  }

  #score(start: number, end: number, scores: Float64Array, at: number): void {
    const scorer = this.#scorer;
    if (this.#isFlat) scores.fill(this.#flatScore, at, at + end - start);
    else if (scorer!.model !== null) for (let i = start, o = at; i < end; i++, o++) scores[o] = this.#scoreAt(i);
    else if (this.#norms === null)
      scorePostingsFlat(this.#cursor.freqs, start, end, scorer!.field.cache[NORM_OF_ONE]!, scorer!.weight, scores, at);
    else
      scorePostings(
        this.#docs,
        this.#cursor.freqs,
        start,
        end,
        this.#norms,
        scorer!.field.cache,
        scorer!.weight,
        scores,
        at,
      );
  }

  accumulate(from: number, to: number, sums: Float64Array | null, words: Int32Array, counts: Uint8Array | null): void {
    if (!this.#seek(from)) return;
    for (;;) {
      const block = this.#docs;
      const start = this.#at;
      const end = block[this.#size - 1]! < to ? this.#size : gallop(block, start, this.#size, to);
      if (counts !== null) countPostings(block, start, end, from, counts);
      this.#sum(start, end, from, sums, words);
      this.#at = end;
      if (end < this.#size || !this.#nextBlock()) return;
    }
  }

  #sum(start: number, end: number, base: number, sums: Float64Array | null, words: Int32Array): void {
    const scorer = this.#scorer;
    if (sums === null) markPostings(this.#docs, start, end, base, words);
    else if (this.#isFlat) sumConstant(this.#docs, start, end, base, this.#flatScore, sums, words);
    else if (this.#norms !== null && scorer!.model === null)
      sumPostings(
        this.#docs,
        this.#cursor.freqs,
        start,
        end,
        base,
        this.#norms,
        scorer!.field.cache,
        scorer!.weight,
        sums,
        words,
      );
    else if (this.#linearWeight !== null)
      sumProducts(this.#docs, this.#cursor.freqs, start, end, base, this.#linearWeight, sums, words);
    else this.#sumOneByOne(start, end, base, sums, words);
  }

  #sumOneByOne(start: number, end: number, base: number, sums: Float64Array, words: Int32Array): void {
    for (let i = start; i < end; i++) {
      const at = this.#docs[i]! - base;
      sums[at]! += this.#scoreAt(i);
      words[at >> 5]! |= 1 << at;
    }
  }

  #scoreAt(i: number): number {
    if (this.#isFlat) return this.#flatScore;
    return scoreOf(
      this.#scorer!,
      this.#cursor.freqs[i]!,
      this.#norms === null ? NORM_OF_ONE : this.#norms[this.#docs[i]!]!,
    );
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (!this.#seek(doc)) break;
      if (this.#docs[this.#at] !== doc) continue;
      docs[kept] = doc;
      if (scores !== null) scores[kept] = scores[i]! + this.#scoreAt(this.#at);
      kept++;
    }
    return kept;
  }

  add(docs: Int32Array, count: number, scores: Float64Array): void {
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (!this.#seek(doc)) return;
      if (this.#docs[this.#at] === doc) scores[i]! += this.#scoreAt(this.#at);
    }
  }

  next(target: number): number {
    if (this.#isFlat && this.#minScore > this.#flatScore) return NO_MORE_DOCS;
    return this.#seek(target) ? this.#docs[this.#at]! : NO_MORE_DOCS;
  }

  maxScore(from: number, to: number): number {
    if (this.#isFlat) return this.#flatScore;
    if (to - from > WINDOW_DOCS || this.cost < WINDOW_DOCS / 16) return this.#global();
    return this.#boundsCursor().max(from, to);
  }

  #global(): number {
    if (this.#globalMax < 0) this.#globalMax = impactsScore(this.#cursor.globalImpacts(), this.#scorer!);
    return this.#globalMax;
  }

  #boundsCursor(): ScoreBounds {
    this.#bounds ??= new ScoreBounds(postingsOf(this.#terms, this.#ordinal, this.#scratch), this.#scorer!);
    return this.#bounds;
  }

  setMinScore(score: number): void {
    this.#minScore = score;
  }
}
