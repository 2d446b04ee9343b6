import { NO_MORE_DOCS } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import { SegmentScript } from '../../scripts/segment-script.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';
import { withConstantScore } from './constant.js';

/** Calling a script costs as much as this many documents of another matcher. */
const COST = 20;

const NO_EXTRA = (): null => null;

/** Weight of the documents for which a script says true; constant score. */
export function scriptWeight(plan: PlanOf<'script'>, context: WeightContext): Weight {
  const unscored: Weight = { matcher: (segment) => new ScriptMatcher(plan, context.searcher, segment) };
  return withConstantScore(unscored, Math.fround(context.boost * plan.boost));
}

/**
 * Documents for which a script says true. Deleted documents are left out before: a script may fail for one. In a
 * conjunction the cost puts it last, so that it runs only for documents that all other clauses match.
 */
class ScriptMatcher implements Matcher {
  readonly cost: number;
  readonly #segment: SegmentView;
  readonly #script: SegmentScript;

  constructor(plan: PlanOf<'script'>, searcher: Searcher, segment: SegmentView) {
    this.#segment = segment;
    this.#script = new SegmentScript(plan.script, searcher, segment);
    this.cost = Math.min(NO_MORE_DOCS - 1, segment.maxDoc * COST);
  }

  window(from: number, to: number, docs: Int32Array, _scores: Float64Array | null): number {
    const { live, reader } = this.#segment;
    let count = 0;
    for (let doc = from; doc < to; doc++)
      if ((live === null || live.get(doc)) && (reader.roots === null || reader.roots.get(doc))) docs[count++] = doc;
    return this.#keep(docs, count, null);
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    const { live } = this.#segment;
    let alive = 0;
    for (let i = 0; i < count; i++) {
      if (live !== null && !live.get(docs[i]!)) continue;
      docs[alive] = docs[i]!;
      if (scores !== null) scores[alive] = scores[i]!;
      alive++;
    }
    return this.#keep(docs, alive, scores);
  }

  #keep(docs: Int32Array, count: number, scores: Float64Array | null): number {
    this.#script.setWindow(docs.slice(0, count), count);
    let kept = 0;
    this.#script.each(count, NO_EXTRA, (i, result) => {
      if (result !== true) return;
      docs[kept] = docs[i]!;
      if (scores !== null) scores[kept] = scores[i]!;
      kept++;
    });
    return kept;
  }

  next(target: number): number {
    return target < this.#segment.maxDoc ? target : NO_MORE_DOCS;
  }

  maxScore(): number {
    return 0;
  }
}
