import { anyOf } from '../percolate/required-terms.js';
import type { PlanOf } from '../execute/plan-of.js';
import { disMaxWeight } from '../execute/weights/dis-max.js';
import { type WeightContext, within } from '../execute/weight-context.js';
import { formatFloat } from '@shoal/values';
import { anyMatching } from '../highlight/matching.js';
import { type ExplainPlace } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';
import type { DescribeContext } from './plan-kind.js';
import type { PlanKind } from './plan-kind.js';

/**
 * Returns a dis_max in Lucene's notation. Clauses of several words are in parentheses; terms with blended frequencies
 * are named as such.
 */
function describeDisMax({ plans, tieBreaker }: PlanOf<'disMax'>, context: DescribeContext): string {
  const blended = plans.filter((plan) => plan.kind === 'term' && plan.docFreq !== undefined) as PlanOf<'term'>[];
  if (blended.length > 1 && blended.length === plans.length) {
    const terms = blended.map(
      ({ field, term, boost }) => `${field}:${term}${boost === 1 ? '' : `^${formatFloat(boost)}`}`,
    );
    return `blended(terms:[${terms.join(', ')}])`;
  }
  const clauses = plans.map((plan) =>
    plan.kind === 'bool' && plan.boost === 1 ? `(${context.text(plan)})` : context.text(plan),
  );
  return `(${clauses.join(' | ')})${tieBreaker === 0 ? '' : `~${formatFloat(tieBreaker)}`}`;
}

function explainDisMax(plan: PlanOf<'disMax'>, context: WeightContext, place: ExplainPlace): Explanation {
  const explained = plan.plans.map((one) => place.explain(one, context, place));
  const details = explained.filter((one) => one.match);
  if (plan.plans.length === 1) return explained[0]!;
  if (details.length === 0) return noMatch(plan.tieBreaker === 1 ? 'No matching clauses' : 'No matching clause');
  const best = Math.max(...details.map((one) => one.value));
  const sum = details.reduce((total, one) => total + one.value, 0);
  const value = Math.fround(best + (sum - best) * Math.fround(plan.tieBreaker));
  return explanation(value, sumText(plan.tieBreaker), details);
}

/** With a tie_breaker of 1, Lucene rewrites the query to a disjunction, whose scores are summed. */
function sumText(tieBreaker: number): string {
  if (tieBreaker === 1) return 'sum of:';
  return tieBreaker === 0 ? 'max of:' : `max plus ${formatFloat(tieBreaker)} times others of:`;
}

/** The best score of several plans, plus a share of the other scores. */
export const disMaxKind: PlanKind<PlanOf<'disMax'>> = {
  requiredTerms: ({ plans }, { of }) => anyOf(plans.map(of)),
  luceneName: 'DisjunctionMaxQuery',
  weight: disMaxWeight,
  describe: describeDisMax,
  wrapsBoost: 'always',
  explain: (plan, context, place) => explainDisMax(plan, within(context, plan.boost), place),
  canMatch: ({ plans }, _searcher, inner) => plans.some(inner),
  matching: ({ plans }, inner) => anyMatching(plans.map(inner), 1),
  highlightedParts: ({ plans }) => plans,
  sameDocuments: ({ plans }) => plans,
  profiledParts: ({ plans }) => plans,
  scoredParts: ({ plans }) => plans,
};
