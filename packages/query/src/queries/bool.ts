import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { parseField } from '../parse/parse-field.js';
import { minimumShouldMatch } from '../parse/minimum-should-match.js';
import { boolean, type OptionPlace, readOptions, textOrNull, unsupportedValue } from '../parse/options.js';
import { checkQueryCount, parseQueries } from '../parse/parse-queries.js';
import type { ParsedQuery, PlanContext, QueryContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { isNoneQuery, nonePlan, planQuery, rewrittenToNone } from '../plan-query.js';

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
      minimum_should_match: (value, place) => {
        if (typeof value === 'object' && value !== null) throw unsupportedValue('bool', 'minimum_should_match', body);
        return textOrNull(value, place);
      },
      adjust_pure_negative: (value, place) =>
        parseField('bool', body, 'adjust_pure_negative', () => boolean(value, place)),
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
    plan: (planContext) => (isNone(clauses, planContext) ? rewrittenToNone('bool') : plan(clauses, planContext)),
    isNone: (planContext) => isNone(clauses, planContext),
    isAll: countOf(clauses) === 0,
  };
}

function parseClauses(value: unknown, place: OptionPlace, context: QueryContext): ParsedQuery[] {
  const key = String(place.key);
  if (value === null) return [];
  if (typeof value !== 'object' || value === null) throw unsupportedValue('bool', key, place.container as JsonObject);
  // Before the field: to find the place of an error in a body of so many clauses takes long.
  if (Array.isArray(value)) checkQueryCount(value.length);
  return parseField('bool', place.container, key, () => parseQueries(value, context, 'declared'));
}

const countOf = ({ must, filter, should, mustNot }: Clauses): number =>
  must.length + filter.length + should.length + mustNot.length;

/** Elasticsearch's BoolQueryBuilder.doRewrite, as far as it ends in `match_none`. */
function isNone({ must, filter, should, mustNot }: Clauses, context: PlanContext): boolean {
  if (mustNot.some((query) => query.isAll)) return true;
  const required = [...must, ...filter];
  if (required.length > 0) return required.some((query) => isNoneQuery(query, context));
  return should.length > 0 && should.every((query) => isNoneQuery(query, context));
}

/**
 * Refuses more clauses than `indices.query.bool.max_clause_count`. Counts the clauses as given, before clauses that
 * match nothing are dropped.
 */
function checkClauseCount(clauses: Clauses, max: number): void {
  if (countOf(clauses) > max) throw errors.tooManyClauses(`maxClauseCount is set to ${max}`);
}

function plan(clauses: Clauses, context: PlanContext): Plan {
  checkClauseCount(clauses, context.searcher.settings.maxClauseCount);
  const planned = (queries: readonly ParsedQuery[]): Plan[] => queries.map((query) => planQuery(query, context));
  // The order of 8.12, which tells the error of the first clause that fails.
  const must = planned(clauses.must);
  const mustNot = clauses.mustNot.map((query) => planQuery(query, { ...context, innerHits: [] }));
  const should = planned(clauses.should);
  const filter = planned(clauses.filter);
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
