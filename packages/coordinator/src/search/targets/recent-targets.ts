import { type ClusterState, type IndexAccess, OPEN_ONLY } from '@shoal/state';
import { ACTIONS, accessOf, dependsOnTime, ownerOf } from '../../access.js';
import type { CallContext } from '../../call.js';
import type { CoordinatorContext } from '../../context.js';
import type { RecentTargets } from './recent-sources.js';
import type { SearchPlan } from '../parse/search-plan.js';
import type { SearchRequest } from '../parse/search-request.js';
import { findShards, orderedAnew } from './search-targets.js';
import type { FoundShard, TargetShard } from './target-shard.js';

const NAMES_MAX = 1000;

/**
 * Returns the single name of a search whose shards depend on the cluster state alone. Null for date math, routing,
 * preference, boosts or several names.
 */
function onlyName({ target, routing, preference }: SearchRequest, { indicesBoost }: SearchPlan): string | null {
  if (
    target.names.length !== 1 ||
    target.options !== OPEN_ONLY ||
    routing !== null ||
    preference !== null ||
    indicesBoost.length > 0
  )
    return null;
  return target.names[0]!.includes('<') ? null : target.names[0]!;
}

/** Whether shards may be cached: each has a copy, and no limits depend on the time. Shards of an index share limits. */
function isSettled(found: readonly FoundShard[]): boolean {
  if (found.some(({ copies }) => copies.length === 0)) return false;
  return ![...new Set(found.map(({ target }) => target.access))].some(dependsOnTime);
}

function knownFor(recent: RecentTargets, state: ClusterState, access: IndexAccess): Map<string, readonly FoundShard[]> {
  if (recent.state !== state) {
    recent.state = state;
    recent.byAccess = new WeakMap();
  }
  let known = recent.byAccess.get(access);
  if (!known) {
    known = new Map();
    recent.byAccess.set(access, known);
  }
  return known;
}

/**
 * Returns the shards of a search, cached if possible. Throws for missing, closed and blocked indices, and for names
 * that the caller may not use.
 */
export function shardsOfSearch(
  context: CoordinatorContext,
  request: SearchRequest,
  plan: SearchPlan,
  call: CallContext,
): readonly TargetShard[] {
  const access = accessOf(call, ACTIONS.search);
  const name = onlyName(request, plan);
  const known = name === null ? null : knownFor(context.sources.targets, context.cluster.state(), access);
  const recent = known?.get(name!);
  if (recent) return orderedAnew(context, recent);
  const found = findShards(context, request.target, {
    routing: request.routing,
    preference: request.preference,
    indicesBoost: plan.indicesBoost,
    access,
    owner: ownerOf(call.subject),
  });
  if (known !== null && known.size < NAMES_MAX && isSettled(found)) known.set(name!, found);
  return found.map(({ target }) => target);
}
