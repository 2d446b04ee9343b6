import { errors } from '@shoal/errors';
import { cloneBitSet, WINDOW_DOCS } from '@shoal/segments';
import { COMBINE } from './function-score.kernel.js';
import { keepMinScore } from './min-score.kernel.js';
import { nestedDocs } from './nested.js';
import { keepBits } from '../window.kernel.js';
import type { Matcher, Weight } from '../../matcher.js';
import type { ScoreFunction } from '../../plan.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import type { PlanOf } from '../plan-of.js';
import { Scratch } from '../scratch.js';
import type { FunctionValues } from './function-values.js';
import { functionValues } from './score-functions.js';
import { asFilter, type WeightContext, within } from '../weight-context.js';

/** Weight of a plan's matches, with scores changed by functions. */
export function functionScoreWeight(plan: PlanOf<'functionScore'>, context: WeightContext): Weight {
  const computes = context.needsScores || plan.minScore !== null;
  const usesScore = computes && (plan.boostMode !== 'replace' || plan.functions.some(readsScore));
  const inner = context.weight(plan.plan, { ...within(context, plan.boost), needsScores: usesScore });
  const filters = plan.functions.map(({ filter }) => filter && context.weight(filter, asFilter(context)));
  return {
    matcher: (segment, needsScores) => {
      const matcher = inner.matcher(segment, usesScore);
      if (matcher === null || (!needsScores && plan.minScore === null)) return matcher;
      return new FunctionScoreMatcher(
        matcher,
        plan,
        bind(plan, filters, context.searcher, segment),
        usesScore,
        segment.docBase,
        wantedWords(segment, context.nestedPath),
        context.scratch ?? new Scratch(),
      );
    },
  };
}

/**
 * Returns the bits of the documents for which functions are computed; null for all documents. A deleted document, or
 * one of another nesting level, may lack a field of a function. Computing it for that document would fail the search.
 */
function wantedWords(segment: SegmentView, nestedPath: string | undefined): Int32Array | null {
  const { reader, live } = segment;
  const scope = nestedPath === undefined ? reader.roots : nestedDocs(segment, nestedPath);
  if (scope === null || live === null) return (scope ?? live)?.words ?? null;
  const both = cloneBitSet(scope);
  for (let w = 0; w < both.words.length; w++) both.words[w]! &= live.words[w]!;
  return both.words;
}

const readsScore = ({ function: definition }: ScoreFunction): boolean =>
  definition.kind === 'script' && definition.usesScore;

interface BoundFunction {
  /** Null: the function applies to every match. Undefined: the filter matches nothing in the segment. */
  readonly filter: Matcher | null | undefined;
  readonly weight: number;
  readonly readsScore: boolean;
  readonly values: FunctionValues;
}

function bind(
  plan: PlanOf<'functionScore'>,
  filters: readonly (Weight | null)[],
  searcher: Searcher,
  segment: SegmentView,
): BoundFunction[] {
  return plan.functions.map((scoreFunction, i) => ({
    filter: filters[i] ? (filters[i].matcher(segment, false) ?? undefined) : null,
    weight: scoreFunction.weight ?? 1,
    readsScore: readsScore(scoreFunction),
    values: functionValues(scoreFunction.function, searcher, segment),
  }));
}

/** Functions that fold the value of a further function into a document's factor. */
const SCORE_MODES: Readonly<Record<string, (before: number, value: number) => number>> = {
  multiply: (before, value) => before * value,
  sum: (before, value) => before + value,
  avg: (before, value) => before + value,
  first: (before) => before,
  max: (before, value) => Math.max(before, value),
  min: (before, value) => Math.min(before, value),
};

/** Combined functions of each document of a window: factor, sum of weights, and how many functions applied. */
interface FunctionSums {
  readonly factors: Float64Array;
  readonly weights: Float64Array;
  readonly applied: Int32Array;
  readonly matched: Int32Array;
}

class FunctionScoreMatcher implements Matcher {
  readonly cost: number;
  readonly #inner: Matcher;
  readonly #plan: PlanOf<'functionScore'>;
  readonly #isAveraged: boolean;
  readonly #functions: readonly BoundFunction[];
  readonly #usesScore: boolean;
  readonly #docBase: number;
  readonly #wanted: Int32Array | null;
  readonly #scratch: Scratch;
  readonly #values: Float64Array;
  /** Working arrays for several functions, or for functions with a filter or weight; null until first used. */
  #several: FunctionSums | null = null;
  /**
   * Working array for scores: used when the caller asks for no scores, or when the scores are added to the caller's.
   */
  #ownScores: Float64Array | null = null;
  /** True if there is one function without filter and weight. */
  readonly #isPlain: boolean;

  constructor(
    inner: Matcher,
    plan: PlanOf<'functionScore'>,
    functions: readonly BoundFunction[],
    usesScore: boolean,
    docBase: number,
    wanted: Int32Array | null,
    scratch: Scratch,
  ) {
    this.#inner = inner;
    this.#plan = plan;
    this.#functions = functions;
    this.#usesScore = usesScore;
    this.#docBase = docBase;
    this.#wanted = wanted;
    this.cost = inner.cost;
    this.#scratch = scratch;
    this.#values = scratch.numbers(WINDOW_DOCS);
    this.#isAveraged = plan.scoreMode === 'avg' && !isSingleFunction(plan);
    this.#isPlain = functions.length === 1 && functions[0]!.filter === null && functions[0]!.weight === 1;
  }

  get #scores(): Float64Array {
    return (this.#ownScores ??= this.#scratch.numbers(WINDOW_DOCS));
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    const into = scores ?? this.#scores;
    const own = this.#usesScore ? into : null;
    let count = this.#inner.window(from, to, docs, own);
    if (this.#wanted !== null) count = keepBits(this.#wanted, docs, count, own, 1);
    return this.#rescore(docs, count, into);
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    const before = scores === null ? null : docs.slice(0, count);
    this.#scores.fill(0, 0, count);
    const own = this.#usesScore ? this.#scores : null;
    let matched = this.#inner.filter(docs, count, own);
    if (this.#wanted !== null) matched = keepBits(this.#wanted, docs, matched, own, 1);
    const kept = this.#rescore(docs, matched, this.#scores);
    if (before !== null)
      for (let i = 0, k = 0; k < kept; i++) if (before[i] === docs[k]) scores![k] = scores![i]! + this.#scores[k++]!;
    return kept;
  }

  /**
   * Replaces `scores` by the scores after the functions and drops documents below min_score. Returns how many remain.
   */
  #rescore(docs: Int32Array, count: number, scores: Float64Array): number {
    if (count === 0) return 0;
    if (this.#isPlain) this.#functions[0]!.values(docs, count, this.#values, scores);
    else this.#applyAll(docs, count, scores);
    const { maxBoost, minScore, boostMode } = this.#plan;
    const refused = COMBINE[boostMode]!(scores, this.#values, count, maxBoost);
    if (refused >= 0) this.#refuse(scores[refused]!, docs[refused]!);
    return minScore === null ? count : keepMinScore(minScore, docs, scores, count);
  }

  /** Writes the factor of each document to `#values`. */
  #applyAll(docs: Int32Array, count: number, scores: Float64Array): void {
    const scratch = this.#scratch;
    this.#several ??= {
      factors: scratch.numbers(WINDOW_DOCS),
      weights: scratch.numbers(WINDOW_DOCS),
      applied: scratch.ints(WINDOW_DOCS),
      matched: scratch.ints(WINDOW_DOCS),
    };
    const sums = this.#several;
    sums.applied.fill(0, 0, count);
    sums.weights.fill(0, 0, count);
    for (const scoreFunction of this.#functions) this.#apply(scoreFunction, docs, count, sums, scores);
    for (let i = 0; i < count; i++) this.#values[i] = this.#factor(i, sums);
  }

  #apply(
    { filter, weight, values, readsScore: needsScores }: BoundFunction,
    docs: Int32Array,
    count: number,
    sums: FunctionSums,
    scores: Float64Array,
  ): void {
    if (filter === undefined) return;
    const { matched } = sums;
    for (let i = 0; i < count; i++) matched[i] = docs[i]!;
    const applied = filter === null ? count : filter.filter(matched, count, null);
    if (applied === 0) return;
    values(matched, applied, this.#values, needsScores ? scoresOf(docs, scores, matched, applied) : null);
    for (let i = 0, k = 0; k < applied; i++)
      if (docs[i] === matched[k]) this.#add(i, this.#values[k++]! * weight, weight, sums);
  }

  #add(i: number, value: number, weight: number, { factors, weights, applied }: FunctionSums): void {
    factors[i] = applied[i]!++ === 0 ? value : SCORE_MODES[this.#plan.scoreMode]!(factors[i]!, value);
    weights[i]! += weight;
  }

  /** Returns the factor of a document; 1 if no function applied. */
  #factor(i: number, { factors, weights, applied }: FunctionSums): number {
    if (applied[i] === 0) return 1;
    const factor = factors[i]!;
    return this.#isAveraged && weights[i]! !== 0 ? factor / weights[i]! : factor;
  }

  #refuse(score: number, doc: number): never {
    const text = Number.isInteger(score) ? `${score}.0` : String(score);
    throw errors.exception(`function score query returned an invalid score: ${text} for doc: ${this.#docBase + doc}`, {
      status: 400,
    });
  }

  next(target: number): number {
    return this.#inner.next(target);
  }

  maxScore(): number {
    return Number.POSITIVE_INFINITY;
  }
}

/** Returns the scores of those documents that a function's filter kept. */
function scoresOf(docs: Int32Array, scores: Float64Array, kept: Int32Array, count: number): Float64Array {
  const own = new Float64Array(count);
  for (let i = 0, k = 0; k < count; i++) if (docs[i] === kept[k]) own[k++] = scores[i]!;
  return own;
}

/** Whether there is one function, for all documents: 8.12 then combines nothing, and does not divide by its weight. */
function isSingleFunction({ functions }: PlanOf<'functionScore'>): boolean {
  const filter = functions[0]?.filter ?? null;
  return functions.length === 1 && (filter === null || filter.kind === 'all');
}
