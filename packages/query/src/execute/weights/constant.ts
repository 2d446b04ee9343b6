import { NO_MORE_DOCS } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import type { PlanOf } from '../plan-of.js';
import { asFilter, type WeightContext } from '../weight-context.js';
import { addConstant } from '../window.kernel.js';

/** Weight of a plan's matches with one score. */
export function constantWeight(plan: PlanOf<'constant'>, context: WeightContext): Weight {
  const inner = context.weight(plan.plan, asFilter(context));
  const score = Math.fround(context.boost * plan.boost);
  return withConstantScore(inner, score);
}

/** Returns a weight with the matches of an unscored weight, all with one score. */
export function withConstantScore(inner: Weight, score: number): Weight {
  return {
    matcher: (segment, needsScores) => {
      const matcher = inner.matcher(segment, false);
      return matcher === null || !needsScores ? matcher : new ConstantMatcher(matcher, score);
    },
    count: (segment) => inner.count?.(segment) ?? -1,
  };
}

/** Gives every match of another matcher the same score. */
export class ConstantMatcher implements Matcher {
  readonly cost: number;
  readonly #matcher: Matcher;
  readonly #score: number;
  #minScore = 0;

  constructor(matcher: Matcher, score: number) {
    this.#matcher = matcher;
    this.#score = score;
    this.cost = matcher.cost;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    if (this.#minScore > this.#score) return 0;
    const count = this.#matcher.window(from, to, docs, null);
    if (scores !== null) scores.fill(this.#score, 0, count);
    return count;
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    if (scores === null) return this.#matcher.filter(docs, count, null);
    const before = docs.slice(0, count);
    const kept = this.#matcher.filter(docs, count, null);
    for (let i = 0, k = 0; k < kept; i++) if (before[i] === docs[k]) scores[k++] = scores[i]!;
    addConstant(scores, kept, this.#score);
    return kept;
  }

  next(target: number): number {
    return this.#minScore > this.#score ? NO_MORE_DOCS : this.#matcher.next(target);
  }

  maxScore(): number {
    return this.#score;
  }

  setMinScore(score: number): void {
    this.#minScore = score;
  }
}
