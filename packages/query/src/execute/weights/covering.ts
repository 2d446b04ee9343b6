import { WINDOW_DOCS } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import { DisjunctionMatcher } from '../matchers/bool-matchers.js';
import { type WindowBuffer, windowBuffer } from '../matchers/gather.js';
import { minimumReader, type ReadMinimum } from '../covering-minimum.js';
import type { PlanOf } from '../plan-of.js';
import { type WeightContext, within } from '../weight-context.js';

/**
 * Weight of documents that match at least as many plans as a field of the document or a script says; the score is the
 * sum.
 */
export function coveringWeight(plan: PlanOf<'covering'>, context: WeightContext): Weight {
  const inner = within(context, plan.boost);
  const weights = plan.plans.map((one) => context.weight(one, inner));
  return {
    matcher: (segment, needsScores) => {
      const matchers = (scored: boolean): Matcher[] =>
        weights.map((weight) => weight.matcher(segment, scored)).filter((matcher) => matcher !== null);
      const clauses = matchers(needsScores);
      const minimum = clauses.length === 0 ? null : minimumReader(plan.minimum, context.searcher, segment);
      return minimum === null
        ? null
        : new CoveringMatcher(new DisjunctionMatcher(clauses, 1), matchers(false), minimum);
    },
  };
}

class CoveringMatcher implements Matcher {
  readonly cost: number;
  readonly #any: Matcher;
  readonly #clauses: readonly Matcher[];
  readonly #readMinimum: ReadMinimum;
  readonly #minimum = new Float64Array(WINDOW_DOCS);
  readonly #buffer: WindowBuffer = windowBuffer();

  constructor(any: Matcher, clauses: readonly Matcher[], readMinimum: ReadMinimum) {
    this.#any = any;
    this.#clauses = clauses;
    this.#readMinimum = readMinimum;
    this.cost = any.cost;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    return this.#keepCovered(docs, this.#any.window(from, to, docs, scores), scores);
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    return this.#keepCovered(docs, this.#any.filter(docs, count, scores), scores);
  }

  #keepCovered(docs: Int32Array, count: number, scores: Float64Array | null): number {
    if (count === 0) return 0;
    this.#readMinimum(docs, count, this.#minimum);
    const matches = this.#countMatches(docs, count);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (!(matches[i]! >= Math.max(1, this.#minimum[i]!))) continue;
      docs[kept] = docs[i]!;
      if (scores !== null) scores[kept] = scores[i]!;
      kept++;
    }
    return kept;
  }

  #countMatches(docs: Int32Array, count: number): Uint16Array {
    const matches = new Uint16Array(count);
    const found = this.#buffer.docs;
    for (const clause of this.#clauses) {
      for (let i = 0; i < count; i++) found[i] = docs[i]!;
      const matched = clause.filter(found, count, null);
      for (let i = 0, m = 0; m < matched; i++) {
        if (docs[i] !== found[m]) continue;
        matches[i]!++;
        m++;
      }
    }
    return matches;
  }

  next(target: number): number {
    return this.#any.next(target);
  }

  maxScore(from: number, to: number): number {
    return this.#any.maxScore(from, to);
  }
}
