import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { parseField } from '../parse/parse-field.js';
import { minimumShouldMatch } from '../parse/minimum-should-match.js';
import { boolean, type OptionPlace, readOptions, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan, planQuery } from '../plan-query.js';

/** Boolean combination of queries; the score is the sum of the matching must and should clauses. */
export const bool: QueryType = {
  name: 'bool',
  parse: (body, _container, context) => parse(body as JsonObject, context),
};

interface Clauses {
  readonly must: readonly ParsedQuery[];
  readonly filter: readonly ParsedQuery[];
  readonly should: readonly ParsedQuery[];
  readonly mustNot: readonly ParsedQuery[];
  readonly minimum: string | null;
  readonly adjustPureNegative: boolean;
}

function parse(body: JsonObject, context: QueryContext): ParsedQuery {
  const queries = (value: unknown, place: OptionPlace): ParsedQuery[] => parseClauses(value, place, context);
  const options = readOptions(
    'bool',
    body,
    {
      must: queries,
      filter: queries,
      should: queries,
      must_not: queries,
      mustNot: queries,
      minimum_should_match: text,
      adjust_pure_negative: boolean,
    },
    'declared',
  );
  const clauses: Clauses = {
    must: options.must ?? [],
    filter: options.filter ?? [],
    should: options.should ?? [],
    mustNot: [...(options.must_not ?? []), ...(options.mustNot ?? [])],
    minimum: options.minimum_should_match ?? null,
    adjustPureNegative: options.adjust_pure_negative ?? true,
  };
  return {
    type: 'bool',
    boost: options.boost,
    queryName: options.queryName,
    plan: (planContext) => plan(clauses, planContext),
  };
}

function parseClauses(value: unknown, place: OptionPlace, context: QueryContext): ParsedQuery[] {
  const bodies = Array.isArray(value) ? value : [value];
  return parseField('bool', place.container, String(place.key), () => bodies.map((body) => context.parseQuery(body)));
}

/**
 * Refuses more clauses than `indices.query.bool.max_clause_count`. Counts the clauses as given, before clauses that
 * match nothing are dropped.
 */
function checkClauseCount({ must, filter, should, mustNot }: Clauses, max: number): void {
  if (must.length + filter.length + should.length + mustNot.length > max)
    throw errors.tooManyClauses(`maxClauseCount is set to ${max}`);
}

function plan(clauses: Clauses, context: PlanContext): Plan {
  checkClauseCount(clauses, context.searcher.settings.maxClauseCount);
  const planned = (queries: readonly ParsedQuery[]): Plan[] => queries.map((query) => planQuery(query, context));
  const must = planned(clauses.must);
  const filter = planned(clauses.filter);
  const should = planned(clauses.should);
  const mustNot = planned(clauses.mustNot);
  if (must.length + filter.length + should.length + mustNot.length === 0) return { kind: 'all', boost: 1 };
  // If there are only must_not clauses, they are subtracted from all documents, whatever the minimum is.
  const isPureNegative = must.length + filter.length + should.length === 0 && clauses.adjustPureNegative;
  const minimum = clauses.minimum === null || isPureNegative ? 0 : minimumShouldMatch(clauses.minimum, should.length);
  return boolPlan({ must, filter, should, mustNot, minimumShouldMatch: minimum }, clauses.adjustPureNegative);
}

/** Clauses of a boolean plan; `minimumShouldMatch` is 0 when none was given. */
export interface BoolClauses {
  readonly must?: readonly Plan[];
  readonly filter?: readonly Plan[];
  readonly should?: readonly Plan[];
  readonly mustNot?: readonly Plan[];
  readonly minimumShouldMatch?: number;
}

/**
 * Returns a boolean plan by Lucene's rules. Without required clauses, one of `should` has to match. Clauses of
 * `mustNot` alone are subtracted from all documents if `adjustPureNegative`.
 */
export function boolPlan(clauses: BoolClauses, adjustPureNegative = true): Plan {
  const { must = [], filter = [], should = [], mustNot = [], minimumShouldMatch: wanted = 0 } = clauses;
  const isPureNegative = must.length + filter.length + should.length === 0;
  if (isPureNegative && (!adjustPureNegative || wanted > 0)) return nonePlan('pure negative BooleanQuery');
  const hasRequired = must.length + filter.length > 0 || isPureNegative;
  const minimum = hasRequired ? wanted : Math.max(wanted, 1);
  return {
    kind: 'bool',
    must,
    filter: isPureNegative ? [{ kind: 'all', boost: 1 }] : filter,
    should,
    mustNot,
    minimumShouldMatch: minimum,
    boost: 1,
  };
}
