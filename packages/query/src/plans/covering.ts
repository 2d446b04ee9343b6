import type { PlanOf } from '../execute/plan-of.js';
import { type CoveringMinimum, minimumReader } from '../execute/covering-minimum.js';
import { coveringWeight } from '../execute/weights/covering.js';
import { anyMatching } from '../highlight/matching.js';
import { type WeightContext, within } from '../execute/weight-context.js';
import type { ExplainPlace } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

/** Explains as Lucene's CoveringQuery does: by all its plans, matching or not, if the document says a minimum. */
function explainCovering(plan: PlanOf<'covering'>, context: WeightContext, place: ExplainPlace): Explanation {
  const needed = Float64Array.of(Number.NaN);
  minimumReader(plan.minimum, context.searcher, place.segment)?.(Int32Array.of(place.doc), 1, needed);
  if (Number.isNaN(needed[0])) return noMatch('minimumNumberMatch has no value on the current document');
  const inner = within(context, plan.boost);
  const details = plan.plans.map((one) => place.explain(one, inner, place));
  const matching = details.filter(({ match }) => match);
  const required = Math.max(1, Math.trunc(needed[0]!));
  const text = `${matching.length} matches for ${required} required matches`;
  if (matching.length < required) return noMatch(text, details);
  const sum = matching.reduce((total, { value }) => total + value, 0);
  return explanation(Math.fround(sum), `${text}, sum of:`, details);
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
