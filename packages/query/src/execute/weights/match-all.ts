import type { Weight } from '../../matcher.js';
import { AllMatcher } from '../matchers/bit-set-matcher.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';

/** Every document with the plan's boost as score. */
export function allWeight(plan: PlanOf<'all'>, context: WeightContext): Weight {
  const score = Math.fround(context.boost * plan.boost);
  return {
    matcher: (segment) => new AllMatcher(segment.maxDoc, score),
    count: (segment) => segment.maxDoc,
  };
}

/** No document. */
export const noneWeight: Weight = { matcher: () => null, count: () => 0 };
