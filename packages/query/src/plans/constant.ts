import type { PlanOf } from '../execute/plan-of.js';
import { constantWeight } from '../execute/weights/constant.js';
import type { WeightContext } from '../execute/weight-context.js';
import { formatFloat } from '@shoal/values';
import { explainAsWhole, type ExplainPlace } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

function explainConstant(plan: PlanOf<'constant'>, context: WeightContext, place: ExplainPlace): Explanation {
  const found = explainAsWhole(plan.plan, context, place);
  const text = place.describe({ ...plan, boost: 1 });
  if (!found.match) return noMatch(`${text} doesn't match id ${place.doc}`);
  const boost = Math.fround(context.boost * plan.boost);
  return explanation(boost, boost === 1 ? text : `${text}^${formatFloat(boost)}`);
}

/** The matches of a plan, with one score. */
export const constantKind: PlanKind<PlanOf<'constant'>> = {
  requiredTerms: ({ plan }, { of }) => of(plan),
  luceneName: 'ConstantScoreQuery',
  weight: constantWeight,
  describe: ({ plan }, context) =>
    context.scoresConstant(plan) ? context.text(plan) : `ConstantScore(${context.text(plan)})`,
  explain: explainConstant,
  mayMatchNested: ({ plan }, _mapping, inner) => inner(plan),
  canMatch: ({ plan }, _searcher, inner) => inner(plan),
  matching: ({ plan }, inner) => inner(plan),
  highlightedParts: ({ plan }) => [plan],
  sameDocuments: ({ plan }) => [plan],
  profiledParts: ({ plan }) => [plan],
};
