import type { PlanOf } from '../execute/plan-of.js';
import { nestedDocs, nestedWeight } from '../execute/weights/nested.js';
import { type WeightContext, within } from '../execute/weight-context.js';
import { formatFloat } from '@shoal/values';
import { NO_MATCHES } from '../highlight/matching.js';
import { type ExplainPlace, scoreOfDoc } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';
import { mayMatchRoots } from './field-facts.js';
import type { PlanKind } from './plan-kind.js';

function explainNested(plan: PlanOf<'nested'>, context: WeightContext, place: ExplainPlace): Explanation {
  const score = scoreOfDoc(context.weight(plan, context).matcher(place.segment, true), place.doc);
  if (score === null) return noMatch('Not a match');
  const parents = place.segment.reader.roots!;
  const first = place.doc === 0 ? 0 : parents.previous(place.doc - 1) + 1;
  const children = matchingChildren(plan, context, place, first);
  const mode = plan.scoreMode === 'sum' ? 'Total' : plan.scoreMode.charAt(0).toUpperCase() + plan.scoreMode.slice(1);
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
  const own = nestedDocs(place.segment, plan.path)!;
  const needsPath = mayMatchRoots(plan.plan, plan.path, place.searcher.mapping);
  for (let doc = first; doc < place.doc; doc++) {
    if (!own.get(doc)) continue;
    const child = place.explain(plan.plan, within(context, plan.boost), { ...place, doc });
    if (!child.match) continue;
    if (plan.scoreMode === 'none') children.push(unscored(plan, needsPath, place));
    else children.push(needsPath ? onPath(plan, child) : child);
  }
  return children.sort((a, b) => b.value - a.value);
}

/** A child that is only looked for is explained by the text of what Lucene makes of its query then. */
function unscored({ path, plan }: PlanOf<'nested'>, needsPath: boolean, place: ExplainPlace): Explanation {
  const inner = plan.kind === 'constant' ? plan.plan : plan;
  const text = place.describe('boost' in inner ? { ...inner, boost: 1 } : inner);
  const filter = `_nested_path:${path}`;
  const clause = inner.kind === 'bool' ? `(${text})` : text;
  const onPath = inner.kind === 'all' ? filter : `#${clause} #${filter}`;
  return explanation(0, `ConstantScore(${needsPath ? onPath : text})^0.0`);
}

/** A child of a query that might match other documents is explained with the filter on its path. */
function onPath({ path, plan }: PlanOf<'nested'>, child: Explanation): Explanation {
  const filter = `_nested_path:${path}`;
  if (plan.kind === 'all') {
    const boost = child.value === 1 ? '' : `^${formatFloat(child.value)}`;
    return explanation(child.value, `ConstantScore(${filter})${boost}`);
  }
  return explanation(child.value, 'sum of:', [
    child,
    explanation(0, 'match on required clause, product of:', [explanation(0, '# clause'), explanation(1, filter)]),
  ]);
}

/** Parents of matching nested documents. */
export const nestedKind: PlanKind<PlanOf<'nested'>> = {
  requiredTerms: ({ plan }, { of }) => of(plan),
  luceneName: 'ESToParentBlockJoinQuery',
  weight: nestedWeight,
  describe({ plan, path }, { text, mapping }) {
    const inner = text(plan);
    if (mapping === undefined || mapping === null || !mayMatchRoots(plan, path, mapping))
      return `ToParentBlockJoinQuery (${inner})`;
    const clause = plan.kind === 'bool' && plan.boost === 1 ? `(${inner})` : inner;
    return `ToParentBlockJoinQuery (+${clause} #_nested_path:${path})`;
  },
  explain: explainNested,
  mayMatchNested: () => false,
  // The nested object of each value is not known in a field's text: all matches of the inner plan are highlighted.
  highlightedParts: ({ plan }) => [plan],
  matching({ plan }, inner) {
    const matching = inner(plan);
    return function* (text, place) {
      return (yield* matching(text, place)) ?? NO_MATCHES;
    };
  },
  profiledParts: ({ plan }) => [plan],
  scoredParts: ({ plan }) => [plan],
};
