import type { ClusterState, IndexAccess } from '@shoal/state';
import { type ParseContext, SourceCache } from '@shoal/query';
import { parseSearch } from '../parse/parse-search.js';
import type { SearchPlan } from '../parse/search-plan.js';
import type { SearchRequest } from '../parse/search-request.js';
import type { FoundShard } from './target-shard.js';

const PLANS_BYTES_MAX = 2 << 20;
const COUNTS_BYTES_MAX = 1 << 19;

/**
 * Cache of the shards of searches with a single name, by access of the caller. Dropped when the cluster state changes.
 */
export interface RecentTargets {
  state: ClusterState | null;
  byAccess: WeakMap<IndexAccess, Map<string, readonly FoundShard[]>>;
}

/** Caches of parsed search bodies. A plan depends neither on the time nor on the indices. */
export interface RecentSources {
  readonly plans: SourceCache<SearchPlan>;
  /** Search bodies of counts, by the body of the count. */
  readonly counts: SourceCache<Uint8Array>;
  readonly targets: RecentTargets;
}

/** Makes empty caches. */
export function createRecentSources(): RecentSources {
  return {
    plans: new SourceCache(PLANS_BYTES_MAX),
    counts: new SourceCache(COUNTS_BYTES_MAX),
    targets: { state: null, byAccess: new WeakMap() },
  };
}

/** Whether parameters replace keys of the body. */
export function hasOverrides({ overrides }: SearchRequest): boolean {
  for (const _ in overrides) return true;
  return false;
}

/** Returns the cache key of the plan of a search; null if the plan depends on more than the body. */
function keyOf({ plans }: RecentSources, request: SearchRequest, allowExpensiveQueries: boolean): string | null {
  if (request.scrollMs !== null || request.totalHitsAsInt || hasOverrides(request)) return null;
  // Bodies with `knn` are refused where the type of the search is named.
  const type = request.namesSearchType === true ? ' of a type' : '';
  return plans.keyOf((allowExpensiveQueries ? 'all' : 'cheap') + type, request.body);
}

/** Returns the cached plan of a search; undefined if there is none. Searches with lookups are never cached. */
export function recentPlan(
  sources: RecentSources,
  request: SearchRequest,
  allowExpensiveQueries: boolean,
): SearchPlan | undefined {
  const key = keyOf(sources, request, allowExpensiveQueries);
  return key === null ? undefined : sources.plans.get(key);
}

/** Parses a search and caches its plan. Throws the errors of `parseSearch`. */
export function newPlan(sources: RecentSources, request: SearchRequest, context: ParseContext): SearchPlan {
  const plan = parseSearch(request, context);
  const key =
    plan.pointInTime === null && !plan.hasStoredScripts ? keyOf(sources, request, context.allowExpensiveQueries) : null;
  // Copied, as the body is a view of a larger buffer of the connection that would stay in memory.
  if (key !== null) sources.plans.put(key, { ...plan, body: new Uint8Array(plan.body) });
  return plan;
}
