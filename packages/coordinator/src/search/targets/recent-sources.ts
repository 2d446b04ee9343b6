import type { ClusterState, IndexAccess } from '@shoal/state';
import { type ParseContext, SourceCache } from '@shoal/query';
import { parseSearch } from '../parse/parse-search.js';
import type { SearchPlan } from '../parse/search-plan.js';
import type { SearchRequest } from '../parse/search-request.js';
import type { FoundShard } from './target-shard.js';

const PLANS_BYTES_MAX = 2 << 20;
const COUNTS_BYTES_MAX = 1 << 19;

/**
 * Shards by the one name that searches gave, for each caller's access, as long as the cluster's state stays the same.
 */
export interface RecentTargets {
  state: ClusterState | null;
  byAccess: WeakMap<IndexAccess, Map<string, readonly FoundShard[]>>;
}

/** What the coordinator made of sources lately. Nothing of a plan depends on the moment or the indices. */
export interface RecentSources {
  readonly plans: SourceCache<SearchPlan>;
  /** Bodies of the searches that counts are, by the bodies of the counts. */
  readonly counts: SourceCache<Uint8Array>;
  readonly targets: RecentTargets;
}

export function createRecentSources(): RecentSources {
  return {
    plans: new SourceCache(PLANS_BYTES_MAX),
    counts: new SourceCache(COUNTS_BYTES_MAX),
    targets: { state: null, byAccess: new WeakMap() },
  };
}

/** Whether parameters leave the body as it is. */
export function hasOverrides({ overrides }: SearchRequest): boolean {
  for (const _ in overrides) return true;
  return false;
}

/** The key of a search's plan; null when more than the body makes it. */
function keyOf(
  { plans }: RecentSources,
  request: SearchRequest,
  { allowExpensiveQueries }: ParseContext,
): string | null {
  if (request.scrollMs !== null || request.totalHitsAsInt || hasOverrides(request)) return null;
  return plans.keyOf(allowExpensiveQueries ? 'all' : 'cheap', request.body);
}

/** The plan of a search that was asked lately, whose source has nothing to be looked up. */
export function recentPlan(
  sources: RecentSources,
  request: SearchRequest,
  context: ParseContext,
): SearchPlan | undefined {
  const key = keyOf(sources, request, context);
  return key === null ? undefined : sources.plans.get(key);
}

/** Parses a search and keeps its plan. Throws what is wrong with it. */
export function newPlan(sources: RecentSources, request: SearchRequest, context: ParseContext): SearchPlan {
  const plan = parseSearch(request, context);
  const key = plan.pointInTime === null ? keyOf(sources, request, context) : null;
  // A copy: the body is part of what came over the connection, which would be kept as a whole.
  if (key !== null) sources.plans.put(key, { ...plan, body: new Uint8Array(plan.body) });
  return plan;
}
