import type { Matcher, Weight } from '../../matcher.js';
import type { PlanOf } from '../plan-of.js';
import { asFilter, type WeightContext, within } from '../weight-context.js';
import { WINDOW_DOCS } from '@shoal/segments';

/** Weight of the matches of one plan, scored lower where another plan matches too. */
export function boostingWeight(plan: PlanOf<'boosting'>, context: WeightContext): Weight {
  const positive = context.weight(plan.positive, within(context, plan.boost));
  const negative = context.weight(plan.negative, asFilter(context));
  return {
    matcher: (segment, needsScores) => {
      const matcher = positive.matcher(segment, needsScores);
      const demoted = matcher === null || !needsScores ? null : negative.matcher(segment, false);
      return demoted === null ? matcher : new BoostingMatcher(matcher!, demoted, plan.negativeBoost);
    },
  };
}

class BoostingMatcher implements Matcher {
  readonly cost: number;
  readonly #positive: Matcher;
  readonly #negative: Matcher;
  readonly #factor: number;
  readonly #demoted = new Int32Array(WINDOW_DOCS);

  constructor(positive: Matcher, negative: Matcher, factor: number) {
    this.#positive = positive;
    this.#negative = negative;
    this.#factor = Math.fround(factor);
    this.cost = positive.cost;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    const count = this.#positive.window(from, to, docs, scores);
    if (scores !== null) this.#demote(docs, count, scores);
    return count;
  }

  #demote(docs: Int32Array, count: number, scores: Float64Array): void {
    for (let i = 0; i < count; i++) this.#demoted[i] = docs[i]!;
    const demoted = this.#negative.filter(this.#demoted, count, null);
    for (let i = 0, d = 0; d < demoted; i++) {
      if (docs[i] !== this.#demoted[d]) continue;
      scores[i] = Math.fround(scores[i]! * this.#factor);
      d++;
    }
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    if (scores === null) return this.#positive.filter(docs, count, null);
    const before = docs.slice(0, count);
    const own = new Float64Array(count);
    const kept = this.#positive.filter(docs, count, own);
    this.#demote(docs, kept, own);
    for (let i = 0, k = 0; k < kept; i++) if (before[i] === docs[k]) scores[k] = scores[i]! + own[k++]!;
    return kept;
  }

  next(target: number): number {
    return this.#positive.next(target);
  }

  maxScore(from: number, to: number): number {
    return this.#positive.maxScore(from, to) * Math.max(1, this.#factor);
  }
}
