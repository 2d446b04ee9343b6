import { anyOf, oneOf } from '../percolate/required-terms.js';
import type { PlanOf } from '../execute/plan-of.js';
import { boolWeight } from '../execute/weights/bool.js';
import { type WeightContext, within } from '../execute/weight-context.js';
import { anyMatching, type Matching } from '../highlight/matching.js';
import type { TextMatch } from '../highlight/text-match.js';
import type { Plan } from '../plan.js';
import { explainAsWhole, type ExplainPlace, scoreOfDoc } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';
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
  return function* (text, place) {
    const found: (readonly TextMatch[])[] = [];
    for (const matching of required) {
      const matches = yield* matching(text, place);
      if (!matches) return null;
      found.push(matches);
    }
    for (const matching of prohibited) if ((yield* matching(text, place)) !== null) return null;
    const matches = yield* optional(text, place);
    return matches === null ? null : [...found, matches].flat();
  };
}

/** Lucene rewrites optional terms that are there several times to one with the sum of their boosts. */
function withoutRepeats(plan: PlanOf<'bool'>): PlanOf<'bool'> {
  if (plan.minimumShouldMatch > 1 || plan.should.length < 2) return plan;
  const boosts = new Map<string, number>();
  const keyOf = (clause: Plan): string | null =>
    clause.kind === 'term' ? JSON.stringify({ ...clause, boost: 1 }) : null;
  const should: Plan[] = [];
  for (const clause of plan.should) {
    const key = keyOf(clause);
    if (key === null || !boosts.has(key)) should.push(clause);
    if (key !== null && clause.kind === 'term') boosts.set(key, (boosts.get(key) ?? 0) + clause.boost);
  }
  if (should.length === plan.should.length) return plan;
  return {
    ...plan,
    should: should.map((clause) =>
      clause.kind === 'term' ? { ...clause, boost: boosts.get(keyOf(clause)!)! } : clause,
    ),
  };
}

/** Explains the clauses in the order and words of Lucene's BooleanWeight. */
function explainBool(given: PlanOf<'bool'>, context: WeightContext, place: ExplainPlace): Explanation {
  const plan = withoutRepeats(given);
  const only = onlyFilter(plan);
  if (only !== null) {
    const found = explainAsWhole(only, context, place);
    return found.match ? explanation(0, `ConstantScore(${place.describe(only)})^0.0`) : found;
  }
  const single = onlyScored(plan);
  if (single !== null) return place.explain(single, context, place);
  const parts = explainClauses(plan, context, place);
  if (parts.hasFailed) return noMatch('Failure to meet condition(s) of required/prohibited clause(s)', parts.details);
  if (parts.matches === 0) return noMatch('No matching clauses', parts.details);
  if (parts.optionalMatches < plan.minimumShouldMatch)
    return noMatch(`Failure to match minimum number of optional clauses: ${plan.minimumShouldMatch}`, parts.details);
  const weight = context.weight(plan, { ...context, boost: Math.fround(context.boost / plan.boost) });
  return explanation(scoreOfDoc(weight.matcher(place.segment, true), place.doc) ?? 0, 'sum of:', parts.details);
}

interface ExplainedClauses {
  readonly details: readonly Explanation[];
  /** Whether a required clause does not match or a prohibited one does. */
  readonly hasFailed: boolean;
  /** Clauses that match and are not prohibited. */
  readonly matches: number;
  readonly optionalMatches: number;
}

function explainClauses(plan: PlanOf<'bool'>, context: WeightContext, place: ExplainPlace): ExplainedClauses {
  const details: Explanation[] = [];
  const missing = (clause: Plan, found: Explanation): Explanation =>
    noMatch(`no match on required clause (${place.describe(clause)})`, [found]);
  const must = plan.must.map((clause) => ({ clause, found: place.explain(clause, context, place) }));
  for (const { clause, found } of must) details.push(found.match ? found : missing(clause, found));
  const excluded = plan.mustNot.filter((clause) => explainAsWhole(clause, context, place).match);
  for (const clause of excluded) {
    const text = place.describe(clause.kind === 'constant' ? clause.plan : clause);
    details.push(noMatch(`match on prohibited clause (${text})`, [explanation(1, text)]));
  }
  const optional = plan.should.map((clause) => place.explain(clause, context, place)).filter((one) => one.match);
  details.push(...optional);
  const filters = plan.filter.map((clause) => ({ clause, found: explainAsWhole(clause, context, place) }));
  for (const { clause, found } of filters)
    details.push(found.match ? requiredFilter(clause, place) : missing(clause, found));
  const required = [...must, ...filters];
  return {
    details,
    hasFailed: excluded.length > 0 || required.some(({ found }) => !found.match),
    matches: required.filter(({ found }) => found.match).length + optional.length,
    optionalMatches: optional.length,
  };
}

/** Lucene rewrites a single filter to a constant score of 0. */
function onlyFilter({ must, should, mustNot, filter }: PlanOf<'bool'>): Plan | null {
  const [first] = filter;
  if (first === undefined || filter.length > 1 || must.length + should.length + mustNot.length > 0) return null;
  const bare = first.kind === 'named' ? first.plan : first;
  return 'boost' in bare ? { ...bare, boost: 1 } : bare;
}

/** Lucene rewrites a query of one clause to the clause. */
function onlyScored({ must, should, mustNot, filter, minimumShouldMatch }: PlanOf<'bool'>): Plan | null {
  if (mustNot.length + filter.length > 0 || must.length + should.length !== 1 || minimumShouldMatch > 1) return null;
  return must[0] ?? (minimumShouldMatch === 1 ? should[0]! : null);
}

function requiredFilter(clause: Plan, place: ExplainPlace): Explanation {
  return explanation(0, 'match on required clause, product of:', [
    explanation(0, '# clause'),
    explanation(1, place.describe(clause)),
  ]);
}

/** Clauses that must, may and must not match. */
export const boolKind: PlanKind<PlanOf<'bool'>> = {
  requiredTerms({ must, filter, should, minimumShouldMatch }, { of }) {
    const required = [...must, ...filter].map(of);
    const isShouldRequired = should.length > 0 && (minimumShouldMatch > 0 || required.length === 0);
    return oneOf(isShouldRequired ? [...required, anyOf(should.map(of))] : required);
  },
  luceneName: 'BooleanQuery',
  weight: boolWeight,
  describe: describeBool,
  wrapsBoost: 'always',
  explain: (plan, context, place) => explainBool(plan, within(context, plan.boost), place),
  mayMatchNested({ must, filter, should, isOpaque }, _mapping, inner) {
    if (isOpaque === true) return true;
    const required = [...must, ...filter];
    return required.length > 0 ? required.every(inner) : should.some(inner);
  },
  canMatch({ must, filter, should, minimumShouldMatch }, _searcher, inner) {
    if (!must.every(inner) || !filter.every(inner)) return false;
    return minimumShouldMatch <= 0 || should.some(inner);
  },
  matching: boolMatching,
  highlightedParts: ({ must, filter, should }) => [...must, ...should, ...filter],
  sameDocuments: ({ must, mustNot, should, filter }) => [...must, ...mustNot, ...should, ...filter],
  profiledParts: ({ must, filter, should, mustNot }) => [...must, ...filter, ...should, ...mustNot],
  scoredParts: ({ must, should }) => [...must, ...should],
};
