import type { PlanOf } from '../execute/plan-of.js';
import { boostingWeight } from '../execute/weights/boosting.js';
import { type WeightContext, within } from '../execute/weight-context.js';
import { formatFloat } from '@shoal/values';
import { explainAsWhole, type ExplainPlace } from './explanation.js';
import { explanation, type Explanation } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

function explainBoosting(plan: PlanOf<'boosting'>, context: WeightContext, place: ExplainPlace): Explanation {
  const positive = place.explain(plan.positive, within(context, plan.boost), place);
  const negative = explainAsWhole(plan.negative, context, place);
  if (!positive.match) return positive;
  if (!negative.match) return explanation(positive.value, `weight(${place.describe(plan)}), result of:`, [positive]);
  const factor = explanation(
    Math.fround(plan.negativeBoost),
    `Matched boosting query score(${place.describe(plan.negative)})`,
  );
  const value = Math.fround(positive.value * Math.fround(plan.negativeBoost));
  return explanation(value, `weight(${place.describe(plan)}), result of:`, [
    explanation(value, 'product of:', [positive, factor]),
  ]);
}

/** A plan whose scores are lowered where another plan matches. */
export const boostingKind: PlanKind<PlanOf<'boosting'>> = {
  requiredTerms: ({ positive }, { of }) => of(positive),
  luceneName: 'FunctionScoreQuery',
  weight: boostingWeight,
  describe: ({ positive, negative, negativeBoost }, { text }) =>
    `FunctionScoreQuery(${text(positive)}, scored by ` +
    `boost(queryboost(score(${text(negative)}))^${formatFloat(negativeBoost)}))`,
  explain: explainBoosting,
  canMatch: ({ positive }, _searcher, inner) => inner(positive),
  matching: ({ positive }, inner) => inner(positive),
  highlightedParts: ({ positive }) => [positive],
  sameDocuments: ({ positive, negative }) => [positive, negative],
  scoredParts: ({ positive }) => [positive],
};
