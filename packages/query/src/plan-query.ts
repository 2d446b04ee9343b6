import { type ApiError, errors, isApiError } from '@shoal/errors';
import type { ParsedQuery, PlanContext } from './parsed-query.js';
import type { Plan } from './plan.js';
import { withRuntimePlans } from './runtime/runtime-plan.js';
import type { Searcher } from './searcher.js';

/**
 * Returns the plan of a query on one shard's mapping, with the query's boost and name. A failure to plan is thrown as
 * query_shard_exception `failed to create query: …`, unless the query threw a query_shard_exception or
 * parsing_exception itself.
 */
export function planQuery(parsed: ParsedQuery, context: PlanContext): Plan {
  const { steps } = context;
  return steps === undefined ? planNow(parsed, context) : steps.plan(parsed, context, () => planNow(parsed, context));
}

function planNow(parsed: ParsedQuery, context: PlanContext): Plan {
  const plan = boostPlan(planBody(parsed, context), parsed.boost);
  return parsed.queryName === null ? plan : { kind: 'named', name: parsed.queryName, plan };
}

const CREATING = 'failed to create query: ';

/** As `planQuery`, for queries of aggregations: their failures are not wrapped in a query_shard_exception. */
export function planWithin(parsed: ParsedQuery, context: PlanContext): Plan {
  try {
    return planQuery(parsed, context);
  } catch (error) {
    const isWrapped = isApiError(error) && error.type === 'query_shard_exception' && error.reason?.startsWith(CREATING);
    throw isWrapped && error.causedBy ? error.causedBy : error;
  }
}

/** Returns whether Elasticsearch rewrites a query to `match_none` on this shard before it makes any plan. */
export function isNoneQuery(parsed: ParsedQuery, context: PlanContext): boolean {
  if (parsed.isNone === undefined) return false;
  const { steps } = context;
  const make = (): boolean => parsed.isNone!(context);
  try {
    return steps === undefined ? make() : steps.isNone(parsed, context, make);
  } catch (error) {
    if (isApiError(error)) error.isOfRewriting = true;
    throw error;
  }
}

/** Returns the plan of a compound query that was rewritten because of its clauses. */
export function rewrittenToNone(type: string): Plan {
  return nonePlan(`The "${type}" query was rewritten to a "match_none" query.`);
}

function planBody(parsed: ParsedQuery, context: PlanContext): Plan {
  isNoneQuery(parsed, context);
  try {
    const plan = withRuntimePlans(parsed.plan(context), context.searcher.mapping, allowsExpensive(context));
    if (!Number.isFinite(parsed.boost) && plan.kind !== 'none')
      throw errors.illegalArgument(`boost must be a positive float, got ${parsed.boost}`);
    return plan;
  } catch (error) {
    if (!isApiError(error) || error.isOfRewriting || UNWRAPPED.includes(error.type)) throw error;
    throw shardError(context.searcher, CREATING + error.reason, error);
  }
}

/** Types of errors that a query's failure is not wrapped in. */
const UNWRAPPED = ['query_shard_exception', 'parsing_exception'];

/** Returns a query_shard_exception with the name and UUID of a searcher's index. */
export function shardError(searcher: Searcher, reason: string, cause?: ApiError): ApiError {
  const meta = { index_uuid: searcher.indexUuid, index: searcher.index };
  return errors.queryShard(reason, cause === undefined ? { meta } : { meta, cause });
}

/** Returns the plan with its scores multiplied by `boost`. */
export function boostPlan(plan: Plan, boost: number): Plan {
  if (boost === 1) return plan;
  if (plan.kind === 'named') return { ...plan, plan: boostPlan(plan.plan, boost) };
  return 'boost' in plan ? { ...plan, boost: Math.fround(plan.boost * boost) } : plan;
}

/** Returns the plan of a query of one field on an index that has no such field. */
export function noFieldPlan(type: string): Plan {
  return nonePlan(`The "${type}" query ${type === 'wildcard' ? ' ' : ''}is against a field that does not exist`);
}

/** Returns a plan that matches nothing, with the reason that `_validate/query?explain` shows. */
export function nonePlan(reason: string): Plan {
  return { kind: 'none', reason };
}

/** Returns a plan with the same matches, all scored `boost`. */
export function constantPlan(plan: Plan, boost = 1): Plan {
  return plan.kind === 'none' ? plan : { kind: 'constant', plan, boost };
}

/** Returns whether queries that look at many terms or values are allowed (`search.allow_expensive_queries`). */
export function allowsExpensive(context: PlanContext): boolean {
  return context.allowExpensiveQueries ?? context.searcher.settings.allowExpensiveQueries;
}
