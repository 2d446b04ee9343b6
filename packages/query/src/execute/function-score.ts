import { errors } from '@shoal/errors';
import { WINDOW_DOCS } from '@shoal/segments';
import type { Matcher, Weight } from '../matcher.js';
import type { SegmentView } from '../searcher.js';
import type { PlanOf } from './plan-of.js';
import { type FunctionValues, functionValues } from './score-functions.js';
import { asFilter, type WeightContext, within } from './weight-context.js';

/** Matches of a plan, their scores changed by functions. */
export function functionScoreWeight(plan: PlanOf<'functionScore'>, context: WeightContext): Weight {
  const computes = context.needsScores || plan.minScore !== null;
  const usesScore = computes && plan.boostMode !== 'replace';
  const inner = context.weight(plan.plan, { ...within(context, plan.boost), needsScores: usesScore });
  const filters = plan.functions.map(({ filter }) => filter && context.weight(filter, asFilter(context)));
  return {
    matcher: (segment, needsScores) => {
      const matcher = inner.matcher(segment, usesScore);
      if (matcher === null || (!needsScores && plan.minScore === null)) return matcher;
      return new FunctionScoreMatcher(matcher, plan, bind(plan, filters, segment), usesScore, segment.docBase);
    },
  };
}

interface BoundFunction {
  /** Null: applies to every match. Undefined: to none of the segment. */
  readonly filter: Matcher | null | undefined;
  readonly weight: number;
  readonly values: FunctionValues;
}

function bind(plan: PlanOf<'functionScore'>, filters: readonly (Weight | null)[], segment: SegmentView): BoundFunction[] {
  return plan.functions.map((scoreFunction, i) => ({
    filter: filters[i] ? (filters[i].matcher(segment, false) ?? undefined) : null,
    weight: scoreFunction.weight ?? 1,
    values: functionValues(scoreFunction.function, segment.reader, segment.docBase),
  }));
}

/** How the values of functions become one: by document, `factors` is NaN as long as no function applied. */
const SCORE_MODES: Readonly<Record<string, (before: number, value: number) => number>> = {
  multiply: (before, value) => before * value,
  sum: (before, value) => before + value,
  avg: (before, value) => before + value,
  first: (before) => before,
  max: (before, value) => Math.max(before, value),
  min: (before, value) => Math.min(before, value),
};

const BOOST_MODES: Readonly<Record<string, (score: number, factor: number) => number>> = {
  multiply: (score, factor) => score * factor,
  replace: (_score, factor) => factor,
  sum: (score, factor) => score + factor,
  avg: (score, factor) => (score + factor) / 2,
  max: (score, factor) => Math.max(score, factor),
  min: (score, factor) => Math.min(score, factor),
};

class FunctionScoreMatcher implements Matcher {
  readonly cost: number;
  readonly #inner: Matcher;
  readonly #plan: PlanOf<'functionScore'>;
  readonly #functions: readonly BoundFunction[];
  readonly #usesScore: boolean;
  readonly #docBase: number;
  readonly #factors = new Float64Array(WINDOW_DOCS);
  readonly #weights = new Float64Array(WINDOW_DOCS);
  readonly #values = new Float64Array(WINDOW_DOCS);
  readonly #matched = new Int32Array(WINDOW_DOCS);
  readonly #scores = new Float64Array(WINDOW_DOCS);

  constructor(inner: Matcher, plan: PlanOf<'functionScore'>, functions: readonly BoundFunction[], usesScore: boolean, docBase: number) {
    this.#inner = inner;
    this.#plan = plan;
    this.#functions = functions;
    this.#usesScore = usesScore;
    this.#docBase = docBase;
    this.cost = inner.cost;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    const into = scores ?? this.#scores;
    const count = this.#inner.window(from, to, docs, this.#usesScore ? into : null);
    return this.#rescore(docs, count, into);
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    const before = scores === null ? null : docs.slice(0, count);
    this.#scores.fill(0, 0, count);
    const matched = this.#inner.filter(docs, count, this.#usesScore ? this.#scores : null);
    const kept = this.#rescore(docs, matched, this.#scores);
    if (before !== null) for (let i = 0, k = 0; k < kept; i++) if (before[i] === docs[k]) scores![k] = scores![i]! + this.#scores[k++]!;
    return kept;
  }

  /** Replaces `scores` by those after the functions; drops what is below min_score. */
  #rescore(docs: Int32Array, count: number, scores: Float64Array): number {
    this.#factors.fill(Number.NaN, 0, count);
    this.#weights.fill(0, 0, count);
    for (const scoreFunction of this.#functions) this.#apply(scoreFunction, docs, count);
    const { maxBoost, minScore } = this.#plan;
    const combine = BOOST_MODES[this.#plan.boostMode]!;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const score = Math.fround(combine(scores[i]!, Math.min(this.#factor(i), maxBoost)));
      if (!(score >= 0) || score === Number.POSITIVE_INFINITY) this.#refuse(score, docs[i]!);
      if (minScore !== null && score < minScore) continue;
      docs[kept] = docs[i]!;
      scores[kept++] = score;
    }
    return kept;
  }

  #apply({ filter, weight, values }: BoundFunction, docs: Int32Array, count: number): void {
    if (filter === undefined) return;
    const matched = this.#matched;
    for (let i = 0; i < count; i++) matched[i] = docs[i]!;
    const applied = filter === null ? count : filter.filter(matched, count, null);
    if (applied === 0) return;
    values(matched, applied, this.#values);
    for (let i = 0, k = 0; k < applied; i++) if (docs[i] === matched[k]) this.#add(i, this.#values[k++]! * weight, weight);
  }

  #add(i: number, value: number, weight: number): void {
    const before = this.#factors[i]!;
    this.#factors[i] = Number.isNaN(before) ? value : SCORE_MODES[this.#plan.scoreMode]!(before, value);
    this.#weights[i]! += weight;
  }

  /** 1 where no function applied. */
  #factor(i: number): number {
    const factor = this.#factors[i]!;
    if (Number.isNaN(factor)) return 1;
    return this.#plan.scoreMode === 'avg' && this.#weights[i]! !== 0 ? factor / this.#weights[i]! : factor;
  }

  #refuse(score: number, doc: number): never {
    const text = Number.isInteger(score) ? `${score}.0` : String(score);
    throw errors.exception(`function score query returned an invalid score: ${text} for doc: ${this.#docBase + doc}`);
  }

  next(target: number): number {
    return this.#inner.next(target);
  }

  maxScore(): number {
    return Number.POSITIVE_INFINITY;
  }
}
