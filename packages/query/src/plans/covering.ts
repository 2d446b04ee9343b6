import type { PlanOf } from '../execute/plan-of.js';
import { type CoveringMinimum, minimumReader } from '../execute/covering-minimum.js';
import { coveringWeight } from '../execute/weights/covering.js';
import { anyMatching } from '../highlight/matching.js';
import { type WeightContext, within } from '../execute/weight-context.js';
import { explainAsWhole, type ExplainPlace } from './explanation.js';
import { explanation, type Explanation } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

function explainCovering(plan: PlanOf<'covering'>, context: WeightContext, place: ExplainPlace): Explanation {
  const whole = explainAsWhole(plan, context, place);
  if (!whole.match) return whole;
  const inner = within(context, plan.boost);
  const found = plan.plans.map((one) => place.explain(one, inner, place)).filter((one) => one.match);
  const needed = new Float64Array(1);
  minimumReader(plan.minimum, context.searcher, place.segment)?.(Int32Array.of(place.doc), 1, needed);
  const required = Math.max(1, Math.trunc(needed[0]!));
  return explanation(whole.value, `${found.length} matches for ${required} required matches, sum of:`, found);
}

function describeMinimum(minimum: CoveringMinimum): string {
  return minimum.kind === 'field' ? `long(${minimum.field})` : `script(${minimum.script.source})`;
}

/** Documents that match at least as many plans as a numeric field of the document or a script says. */
export const coveringKind: PlanKind<PlanOf<'covering'>> = {
  weight: coveringWeight,
  describe: ({ plans, minimum }, { text }) =>
    `CoveringQuery(queries=[${plans.map(text).join(', ')}], minimumNumberMatch=${describeMinimum(minimum)})`,
  explain: explainCovering,
  matching: ({ plans }, inner) => anyMatching(plans.map(inner), 1),
  highlightedParts: ({ plans }) => plans,
  sameDocuments: ({ plans }) => plans,
  scoredParts: ({ plans }) => plans,
};
