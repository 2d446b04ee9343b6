import type { PlanOf } from '../execute/plan-of.js';
import { nestedWeight } from '../execute/weights/nested.js';
import { type WeightContext, within } from '../execute/weight-context.js';
import { NO_MATCHES } from '../highlight/matching.js';
import { explanation, type ExplainPlace, type Explanation, noMatch, scoreOfDoc } from './explanation.js';
import type { PlanKind } from './plan-kind.js';

function explainNested(plan: PlanOf<'nested'>, context: WeightContext, place: ExplainPlace): Explanation {
  const score = scoreOfDoc(context.weight(plan, context).matcher(place.segment, true), place.doc);
  if (score === null) return noMatch('Not a match');
  const parents = place.segment.reader.roots!;
  const first = place.doc === 0 ? 0 : parents.previous(place.doc - 1) + 1;
  const children = matchingChildren(plan, context, place, first);
  const mode = plan.scoreMode.charAt(0).toUpperCase() + plan.scoreMode.slice(1);
  return explanation(
    score,
    `Score based on ${children.length} child docs in range from ${place.segment.docBase + first} to ` +
      `${place.segment.docBase + place.doc - 1}, using score mode ${mode}`,
    children.slice(0, 1),
  );
}

function matchingChildren(
  plan: PlanOf<'nested'>,
  context: WeightContext,
  place: ExplainPlace,
  first: number,
): Explanation[] {
  const children: Explanation[] = [];
  for (let doc = first; doc < place.doc; doc++) {
    const child = place.explain(plan.plan, within(context, plan.boost), { ...place, doc });
    if (child.match) children.push(child);
  }
  return children.sort((a, b) => b.value - a.value);
}

/** Parents of matching nested documents. */
export const nestedKind: PlanKind<PlanOf<'nested'>> = {
  luceneName: 'ESToParentBlockJoinQuery',
  weight: nestedWeight,
  describe: ({ plan }, { text }) => `ToParentBlockJoinQuery (${text(plan)})`,
  explain: explainNested,
  mayMatchNested: () => false,
  // The nested object of each value is not known in a field's text: all matches of the inner plan are highlighted.
  matching({ plan }, inner) {
    const matching = inner(plan);
    return (text, place) => matching(text, place) ?? NO_MATCHES;
  },
  profiledParts: ({ plan }) => [plan],
  scoredParts: ({ plan }) => [plan],
};
