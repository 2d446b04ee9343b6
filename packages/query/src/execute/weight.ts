import type { Weight } from '../matcher.js';
import type { Plan } from '../plan.js';
import { checkClauses } from '../plan-clauses.js';
import { kindOf } from '../plans/catalogue.js';
import type { Searcher } from '../searcher.js';
import { cachedFilter } from './filter-cache/filter-cache.js';
import type { Scratch } from './scratch.js';
import { type GlobalStatistics, shardStatistics } from './statistics.js';
import type { Preparation, SlowPart, WeightContext } from './weight-context.js';

/** Options of binding a plan to a searcher. */
export interface WeightOptions {
  /** False when no score is asked for: statistics are not looked up. */
  readonly needsScores: boolean;
  /** Statistics of all shards instead of this one's. */
  readonly statistics?: GlobalStatistics | null;
  /** Pool for the arrays of matchers. */
  readonly scratch?: Scratch;
  /** Path of the nested objects whose documents the plan is to match; absent or null for root documents. */
  readonly nestedPath?: string | null;
  /** Filled with what may be done for a segment before its matcher is made. */
  readonly slowParts?: SlowPart[];
  /** Filled with what is to be done before matchers are made. */
  readonly preparations?: Preparation[];
}

/**
 * Binds a plan to a searcher. Statistics for scores are read now, segments when matchers are made. Throws
 * too_many_nested_clauses for a plan of more clauses than `indices.query.bool.max_clause_count`.
 */
export function createWeight(plan: Plan, searcher: Searcher, options: WeightOptions): Weight {
  checkClauses(plan, searcher.settings.maxClauseCount);
  const statistics = shardStatistics(searcher, options.statistics ?? null);
  return weightOf(plan, {
    searcher,
    statistics,
    boost: 1,
    needsScores: options.needsScores,
    weight: weightOf,
    scratch: options.scratch,
    slowParts: options.slowParts,
    preparations: options.preparations,
    ...(options.nestedPath ? { nestedPath: options.nestedPath } : {}),
  });
}

/** Returns the weight of a plan in a context; matches of filters may come from the cache. */
export function weightOf(plan: Plan, context: WeightContext): Weight {
  const weight = kindOf(plan).weight(plan, context);
  return context.needsScores ? weight : cachedFilter(plan, weight, context.searcher, context.nestedPath);
}
