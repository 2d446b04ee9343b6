import { NO_MORE_DOCS, WINDOW_DOCS } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import { slack } from '../matchers/bool-matchers.js';
import { type WindowBuffer, windowBuffer, windowEnd } from '../matchers/gather.js';
import type { PlanOf } from '../plan-of.js';
import { Scratch } from '../scratch.js';
import { type WeightContext, within } from '../weight-context.js';
import { drainDocs } from '../window.kernel.js';

/** Weight of documents that any of several plans matches; the score is the best one plus a share of the others. */
export function disMaxWeight(plan: PlanOf<'disMax'>, context: WeightContext): Weight {
  const inner = within(context, plan.boost);
  const weights = plan.plans.map((one) => context.weight(one, inner));
  return {
    matcher: (segment, needsScores) => {
      const matchers = weights
        .map((weight) => weight.matcher(segment, needsScores))
        .filter((matcher) => matcher !== null);
      if (matchers.length < 2) return matchers[0] ?? null;
      return new DisMaxMatcher(matchers, plan.tieBreaker, context.scratch);
    },
  };
}

class DisMaxMatcher implements Matcher {
  readonly cost: number;
  readonly #matchers: readonly Matcher[];
  readonly #tieBreaker: number;
  readonly #words: Int32Array;
  readonly #best: Float64Array;
  readonly #others: Float64Array;
  readonly #buffer: WindowBuffer;
  #minScore = 0;

  constructor(matchers: readonly Matcher[], tieBreaker: number, scratch: Scratch = new Scratch()) {
    this.#words = scratch.words();
    this.#best = scratch.doubles();
    this.#others = scratch.doubles();
    this.#buffer = windowBuffer(scratch);
    this.#matchers = matchers;
    this.#tieBreaker = Math.fround(tieBreaker);
    this.cost = matchers.reduce((sum, matcher) => sum + matcher.cost, 0);
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    if (this.#minScore > 0 && this.maxScore(from, to) < slack(this.#minScore)) return 0;
    const { docs: found, scores: values } = this.#buffer;
    for (const matcher of this.#matchers) {
      const count = matcher.window(from, to, found, scores === null ? null : values);
      keepBest(found, values, count, from, this.#words, this.#best, this.#others);
    }
    const count = drainDocs(this.#words, (to - from + 31) >>> 5, from, docs);
    if (scores !== null) this.#take(docs, count, from, scores);
    return count;
  }

  #take(docs: Int32Array, count: number, base: number, scores: Float64Array): void {
    for (let i = 0; i < count; i++) {
      const at = docs[i]! - base;
      scores[i] = Math.fround(this.#best[at]! + this.#others[at]! * this.#tieBreaker);
      this.#best[at] = 0;
      this.#others[at] = 0;
    }
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let from = 0; from < count; ) {
      const end = windowEnd(docs[from]!, NO_MORE_DOCS);
      let to = from + 1;
      while (to < count && docs[to]! < end) to++;
      const size = this.#filterWindow(
        docs.subarray(from, to),
        to - from,
        scores === null ? null : scores.subarray(from, to),
      );
      docs.copyWithin(kept, from, from + size);
      scores?.copyWithin(kept, from, from + size);
      kept += size;
      from = to;
    }
    return kept;
  }

  #filterWindow(docs: Int32Array, count: number, scores: Float64Array | null): number {
    const { docs: found, scores: values } = this.#buffer;
    const base = docs[0]! - (docs[0]! % WINDOW_DOCS);
    for (const matcher of this.#matchers) {
      for (let i = 0; i < count; i++) found[i] = docs[i]!;
      if (scores !== null) values.fill(0, 0, count);
      const matched = matcher.filter(found, count, scores === null ? null : values);
      keepBest(found, values, matched, base, this.#words, this.#best, this.#others);
    }
    return this.#keep(docs, count, base, scores);
  }

  #keep(docs: Int32Array, count: number, base: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const at = docs[i]! - base;
      if ((this.#words[at >> 5]! & (1 << at)) === 0) continue;
      docs[kept] = docs[i]!;
      if (scores !== null)
        scores[kept] = scores[i]! + Math.fround(this.#best[at]! + this.#others[at]! * this.#tieBreaker);
      this.#best[at] = 0;
      this.#others[at] = 0;
      kept++;
    }
    this.#words.fill(0);
    return kept;
  }

  next(target: number): number {
    let first = NO_MORE_DOCS;
    for (const matcher of this.#matchers) first = Math.min(first, matcher.next(target));
    return first;
  }

  maxScore(from: number, to: number): number {
    let best = 0;
    let sum = 0;
    for (const matcher of this.#matchers) {
      const score = matcher.maxScore(from, to);
      best = Math.max(best, score);
      sum += score;
    }
    return best + (sum - best) * this.#tieBreaker;
  }

  setMinScore(score: number): void {
    this.#minScore = score;
  }
}

function keepBest(
  docs: Int32Array,
  scores: Float64Array,
  count: number,
  base: number,
  words: Int32Array,
  best: Float64Array,
  others: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const at = docs[i]! - base;
    const score = scores[i]!;
    words[at >> 5]! |= 1 << at;
    if (score > best[at]!) {
      others[at]! += best[at]!;
      best[at] = score;
    } else others[at]! += score;
  }
}
