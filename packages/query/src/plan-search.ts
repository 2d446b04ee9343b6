import type { ParsedQuery, PlanContext } from './parsed-query.js';
import type { Plan } from './plan.js';
import { boostPlan, constantPlan, planQuery } from './plan-query.js';
import { boolPlan } from './queries/bool.js';
import type { Slice } from './search/sections/slice.js';

/** What narrows and weighs the query of a search on one shard. */
interface SearchLimits {
  /** The filter of the aliases that the search names; null for none. */
  readonly filter: ParsedQuery | null;
  readonly slice: Slice | null;
  /** Boost of the index; 0 for none. */
  readonly boost: number;
}

/** Returns the plan of a search: the matches of its query that are in the filter and the slice, with boosted scores. */
export function planSearch(query: Plan, { filter, slice, boost }: SearchLimits, context: PlanContext): Plan {
  const filters: Plan[] = [];
  if (filter !== null) filters.push(constantPlan(planQuery(filter, context)));
  if (slice !== null) filters.push({ kind: 'slice', ...slice });
  const plan = filters.length === 0 ? query : boolPlan({ must: [query], filter: filters });
  return boost === 0 ? plan : boostPlan(plan, boost);
}
