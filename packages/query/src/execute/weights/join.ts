import type { Matcher, Weight } from '../../matcher.js';
import { JoinSearch } from '../join-search.js';
import { windowBuffer } from '../matchers/gather.js';
import type { PlanOf } from '../plan-of.js';
import { asFilter, type WeightContext } from '../weight-context.js';

/**
 * Weight of documents whose id, in a field that parents and children share, is that of matches of another relation.
 * The ids are found over all segments before the first matcher is made.
 */
export function joinWeight(plan: PlanOf<'join'>, context: WeightContext): Weight {
  const { nestedPath: _, ...root } = context;
  const needsScores = context.needsScores && plan.scoreMode !== 'none';
  const from = context.weight(plan.plan, { ...root, boost: 1, needsScores });
  const targets = context.weight(plan.targets, asFilter(root));
  const search = new JoinSearch(plan, from, context.searcher, needsScores);
  context.preparations?.push((charge) => search.step(charge));
  const boost = Math.fround(context.boost * plan.boost);
  return {
    matcher(segment) {
      const ordinals = search.ordinalsOf(segment);
      const matcher = ordinals === null ? null : targets.matcher(segment, false);
      return ordinals === null || matcher === null ? null : new JoinMatcher(matcher, ordinals, search, boost);
    },
  };
}

/** Keeps those matches of another matcher whose id was found. */
class JoinMatcher implements Matcher {
  readonly cost: number;
  readonly #targets: Matcher;
  readonly #ordinals: (docs: Int32Array, count: number, out: Int32Array) => void;
  readonly #search: JoinSearch;
  readonly #boost: number;
  readonly #own: Int32Array;
  readonly #before: Int32Array;

  constructor(
    targets: Matcher,
    ordinals: (docs: Int32Array, count: number, out: Int32Array) => void,
    search: JoinSearch,
    boost: number,
  ) {
    this.#targets = targets;
    this.#ordinals = ordinals;
    this.#search = search;
    this.#boost = boost;
    this.cost = targets.cost;
    this.#own = new Int32Array(windowBuffer().docs.length);
    this.#before = new Int32Array(this.#own.length);
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    const count = this.#targets.window(from, to, docs, null);
    this.#ordinals(docs, count, this.#own);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const ordinal = this.#own[i]!;
      if (!this.#search.matches(ordinal)) continue;
      docs[kept] = docs[i]!;
      if (scores !== null) scores[kept] = this.#score(ordinal);
      kept++;
    }
    return kept;
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    const before = count <= this.#before.length ? this.#before : new Int32Array(count);
    const own = count <= this.#own.length ? this.#own : new Int32Array(count);
    before.set(docs.subarray(0, count));
    const matched = this.#targets.filter(docs, count, null);
    this.#ordinals(docs, matched, own);
    let kept = 0;
    for (let i = 0, at = 0; i < matched; i++) {
      const doc = docs[i]!;
      while (before[at] !== doc) at++;
      if (!this.#search.matches(own[i]!)) continue;
      docs[kept] = doc;
      if (scores !== null) scores[kept] = scores[at]! + this.#score(own[i]!);
      kept++;
    }
    return kept;
  }

  next(target: number): number {
    return this.#targets.next(target);
  }

  maxScore(): number {
    return Infinity;
  }

  #score(ordinal: number): number {
    return Math.fround(this.#search.score(ordinal) * this.#boost);
  }
}
