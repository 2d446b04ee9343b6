import type { PlanOf } from '../execute/plan-of.js';
import { boolWeight } from '../execute/weights/bool.js';
import { type WeightContext, within } from '../execute/weight-context.js';
import { anyMatching, type Matching } from '../highlight/matching.js';
import type { TextMatch } from '../highlight/text-match.js';
import type { Plan } from '../plan.js';
import {
  explainAsWhole,
  explanation,
  type ExplainPlace,
  type Explanation,
  noMatch,
  scoreOfDoc,
} from './explanation.js';
import type { DescribeContext } from './plan-kind.js';
import type { PlanKind } from './plan-kind.js';

function describeBool(plan: PlanOf<'bool'>, context: DescribeContext): string {
  const part = (prefix: string) => (one: Plan) => prefix + clause(one, context);
  const clauses = [
    ...plan.must.map(part('+')),
    ...plan.mustNot.map(part('-')),
    ...plan.should.map(part('')),
    ...plan.filter.map(part('#')),
  ];
  const minimum = plan.minimumShouldMatch;
  const implied = plan.must.length + plan.filter.length === 0 && minimum === 1;
  return minimum === 0 || implied ? clauses.join(' ') : `(${clauses.join(' ')})~${minimum}`;
}

function clause(plan: Plan, context: DescribeContext): string {
  const bare = plan.kind === 'named' ? plan.plan : plan;
  const text = context.text(plan);
  return bare.kind === 'bool' && bare.boost === 1 ? `(${text})` : text;
}

function boolMatching(plan: PlanOf<'bool'>, inner: (plan: Plan) => Matching): Matching {
  const required = [...plan.must, ...plan.filter].map(inner);
  const optional = anyMatching(plan.should.map(inner), plan.minimumShouldMatch);
  const prohibited = plan.mustNot.map(inner);
  return (text, place) => {
    const found: TextMatch[] = [];
    for (const matching of required) {
      const matches = matching(text, place);
      if (!matches) return null;
      found.push(...matches);
    }
    if (prohibited.some((matching) => matching(text, place) !== null)) return null;
    const matches = optional(text, place);
    if (!matches) return null;
    return found.concat(matches);
  };
}

function explainBool(plan: PlanOf<'bool'>, context: WeightContext, place: ExplainPlace): Explanation {
  const details: Explanation[] = [];
  for (const clause of plan.must) details.push(place.explain(clause, context, place));
  const missing = details.find((one) => !one.match);
  if (missing !== undefined)
    return isSingle(plan)
      ? missing
      : noMatch('Failure to meet condition(s) of required/prohibited clause(s)', [
          noMatch('no match on required clause', [missing]),
        ]);
  for (const clause of plan.mustNot) {
    const excluded = place.explain(clause, context, place);
    if (excluded.match)
      return noMatch('Failure to meet condition(s) of required/prohibited clause(s)', [
        noMatch('match on prohibited clause', [excluded]),
      ]);
  }
  const optional = plan.should.map((clause) => place.explain(clause, context, place)).filter((one) => one.match);
  details.push(...optional);
  for (const clause of plan.filter) {
    const found = explainAsWhole(clause, context, place);
    if (!found.match)
      return noMatch('Failure to meet condition(s) of required/prohibited clause(s)', [
        noMatch('no match on required clause', [found]),
      ]);
    details.push(requiredFilter(clause, place));
  }
  if (optional.length < plan.minimumShouldMatch)
    return noMatch(
      optional.length === 0
        ? 'No matching clauses'
        : `Failure to match minimum number of optional clauses: ${plan.minimumShouldMatch}`,
      details,
    );
  if (isSingle(plan) || (plan.must.length + plan.filter.length === 0 && plan.should.length === 1)) return details[0]!;
  return explanation(
    scoreOfDoc(
      context.weight(plan, { ...context, boost: Math.fround(context.boost / plan.boost) }).matcher(place.segment, true),
      place.doc,
    ) ?? 0,
    'sum of:',
    details,
  );
}

function isSingle(plan: PlanOf<'bool'>): boolean {
  return plan.must.length === 1 && plan.should.length + plan.filter.length + plan.mustNot.length === 0;
}

function requiredFilter(clause: Plan, place: ExplainPlace): Explanation {
  return explanation(0, 'match on required clause, product of:', [
    explanation(0, '# clause'),
    explanation(1, place.describe(clause)),
  ]);
}

/** Clauses that must, may and must not match. */
export const boolKind: PlanKind<PlanOf<'bool'>> = {
  luceneName: 'BooleanQuery',
  weight: boolWeight,
  describe: describeBool,
  wrapsBoost: 'always',
  explain: (plan, context, place) => explainBool(plan, within(context, plan.boost), place),
  mayMatchNested({ must, filter, should }, _mapping, inner) {
    const required = [...must, ...filter];
    return required.length > 0 ? required.every(inner) : should.some(inner);
  },
  canMatch({ must, filter, should, minimumShouldMatch }, _searcher, inner) {
    if (!must.every(inner) || !filter.every(inner)) return false;
    return minimumShouldMatch <= 0 || should.some(inner);
  },
  matching: boolMatching,
  sameDocuments: ({ must, mustNot, should, filter }) => [...must, ...mustNot, ...should, ...filter],
  profiledParts: ({ must, filter, should, mustNot }) => [...must, ...filter, ...should, ...mustNot],
  scoredParts: ({ must, should }) => [...must, ...should],
};
