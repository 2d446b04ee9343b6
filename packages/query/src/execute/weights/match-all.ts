import type { Weight } from '../../matcher.js';
import { AllMatcher } from '../matchers/bit-set-matcher.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';

/** Weight of every document; the score is the plan's boost. */
export function allWeight(plan: PlanOf<'all'>, context: WeightContext): Weight {
  const score = Math.fround(context.boost * plan.boost);
  return {
    matcher: (segment) => new AllMatcher(segment.maxDoc, score),
    count: (segment) => segment.maxDoc,
  };
}

/** Weight without any document. */
export const noneWeight: Weight = { matcher: () => null, count: () => 0 };
