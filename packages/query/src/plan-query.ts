import { type ApiError, errors, isApiError } from '@shoal/errors';
import type { ParsedQuery, PlanContext } from './parsed-query.js';
import type { Plan } from './plan.js';
import type { Searcher } from './searcher.js';

/**
 * Returns the plan of a query on one shard's mapping, with the query's boost and name. A failure to plan is thrown as
 * query_shard_exception `failed to create query: …`, unless the query threw a query_shard_exception or
 * parsing_exception itself.
 */
export function planQuery(parsed: ParsedQuery, context: PlanContext): Plan {
  const plan = boostPlan(planBody(parsed, context), parsed.boost);
  return parsed.queryName === null ? plan : { kind: 'named', name: parsed.queryName, plan };
}

function planBody(parsed: ParsedQuery, context: PlanContext): Plan {
  try {
    return parsed.plan(context);
  } catch (error) {
    if (!isApiError(error) || error.type === 'query_shard_exception' || error.type === 'parsing_exception') throw error;
    throw shardError(context.searcher, `failed to create query: ${error.reason}`, error);
  }
}

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
