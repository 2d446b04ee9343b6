import { type ClusterState, type IndexAccess, OPEN_ONLY } from '@shoal/cluster';
import { ACTIONS, accessOf, ownerOf } from '../access.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import type { RecentTargets } from './recent-sources.js';
import type { SearchPlan } from './search-plan.js';
import type { SearchRequest } from './search-request.js';
import { type TargetShard, targetShards } from './search-targets.js';

const NAMES_MAX = 1000;

/** The name whose shards depend on the state alone; null when there is more to a search: date math, routing, preference, boosts. */
function onlyName({ target, routing, preference }: SearchRequest, { indicesBoost }: SearchPlan): string | null {
  if (target.names.length !== 1 || target.options !== OPEN_ONLY || routing !== null || preference !== null || indicesBoost.length > 0) return null;
  return target.names[0]!.includes('<') ? null : target.names[0]!;
}

/** Copies are asked in another order each time: only shards with a single one are always the same. Limits that depend on the time are others each time. */
function isSettled(shards: readonly TargetShard[]): boolean {
  return shards.every(({ nodeIds, access }) => nodeIds.length === 1 && (access === undefined || !Buffer.from(access).includes('"nowMs"')));
}

function knownFor(recent: RecentTargets, state: ClusterState, access: IndexAccess): Map<string, readonly TargetShard[]> {
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

/** The shards of a search. Throws for missing, closed and blocked indices, and for names that the caller may not ask for. */
export function shardsOfSearch(context: CoordinatorContext, request: SearchRequest, plan: SearchPlan, call: CallContext): readonly TargetShard[] {
  const access = accessOf(call, ACTIONS.search);
  const name = onlyName(request, plan);
  const known = name === null ? null : knownFor(context.sources.targets, context.cluster.state(), access);
  const recent = known?.get(name!);
  if (recent) return recent;
  const shards = targetShards(context, request.target, { routing: request.routing, preference: request.preference, indicesBoost: plan.indicesBoost, access, owner: ownerOf(call.subject) });
  if (known !== null && known.size < NAMES_MAX && isSettled(shards)) known.set(name!, shards);
  return shards;
}
