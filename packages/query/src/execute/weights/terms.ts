import type { Weight } from '../../matcher.js';
import type { SegmentView } from '../../searcher.js';
import { searchableTerms } from '../dictionary/searchable-terms.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';
import { withConstantScore } from './constant.js';

/** Weight of documents with any of many terms; constant score. */
export function termsWeight(plan: PlanOf<'terms'>, context: WeightContext): Weight {
  const unscored: Weight = {
    matcher: ({ reader, maxDoc }: SegmentView) => {
      const terms = searchableTerms(reader, plan.field);
      if (terms === null) return null;
      const ordinals = plan.terms.map((term) => terms.dictionary.lookup(term)).filter((ordinal) => ordinal >= 0);
      return terms.union(ordinals, maxDoc);
    },
  };
  return withConstantScore(unscored, Math.fround(context.boost * plan.boost));
}
