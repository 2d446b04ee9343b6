import { NO_MORE_DOCS } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import { valueTest } from '../../runtime/value-test.js';
import type { SegmentView } from '../../searcher.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';
import { withConstantScore } from './constant.js';

/** Reading a source costs as much as this many documents of another matcher. */
const COST = 100;

/** Weight of documents whose values of a runtime field pass a test; constant score. */
export function runtimeWeight({ plan, boost }: PlanOf<'runtime'>, context: WeightContext): Weight {
  const { searcher } = context;
  const field = searcher.mapping.field(plan.field);
  const { runtime } = searcher;
  if (field === null || runtime === undefined) return { matcher: () => null };
  const accepts = valueTest(plan);
  const unscored: Weight = {
    matcher: (segment) => new RuntimeMatcher(segment, (doc) => accepts(runtime.values(field, segment, doc))),
  };
  return withConstantScore(unscored, Math.fround(context.boost * boost));
}

/**
 * Documents that pass a costly test. Deleted documents, and nested ones, are left out before they are tested. In a
 * conjunction the cost puts it last, so that only documents are tested which all other clauses match.
 */
class RuntimeMatcher implements Matcher {
  readonly cost: number;
  readonly #segment: SegmentView;
  readonly #test: (doc: number) => boolean;

  constructor(segment: SegmentView, test: (doc: number) => boolean) {
    this.#segment = segment;
    this.#test = test;
    this.cost = Math.min(NO_MORE_DOCS - 1, segment.maxDoc * COST);
  }

  #matches(doc: number): boolean {
    const { live } = this.#segment;
    return (live === null || live.get(doc)) && this.#test(doc);
  }

  window(from: number, to: number, docs: Int32Array, _scores: Float64Array | null): number {
    let count = 0;
    for (let doc = from; doc < to; doc++) if (this.#matches(doc)) docs[count++] = doc;
    return count;
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (!this.#matches(doc)) continue;
      docs[kept] = doc;
      if (scores !== null) scores[kept] = scores[i]!;
      kept++;
    }
    return kept;
  }

  next(target: number): number {
    return target < this.#segment.maxDoc ? target : NO_MORE_DOCS;
  }

  maxScore(): number {
    return 0;
  }
}
