import { type ClusterState, OPEN_ONLY, UNRESTRICTED } from '@shoal/cluster';
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

/** Copies are asked in another order each time: only shards with a single one are always the same. */
function isSettled(shards: readonly TargetShard[]): boolean {
  return shards.every(({ nodeIds }) => nodeIds.length === 1);
}

function isKnown(recent: RecentTargets, state: ClusterState, name: string): boolean {
  if (recent.state !== state) {
    recent.state = state;
    recent.byName.clear();
  }
  return recent.byName.has(name);
}

/** The shards of a search. Throws for missing, closed and blocked indices. */
export function shardsOfSearch(context: CoordinatorContext, request: SearchRequest, plan: SearchPlan, call: CallContext): readonly TargetShard[] {
  const { targets: recent } = context.sources;
  const access = accessOf(call, ACTIONS.search);
  const name = access === UNRESTRICTED ? onlyName(request, plan) : null;
  if (name !== null && isKnown(recent, context.cluster.state(), name)) return recent.byName.get(name)!;
  const shards = targetShards(context, request.target, { routing: request.routing, preference: request.preference, indicesBoost: plan.indicesBoost, access, owner: ownerOf(call.subject) });
  if (name !== null && recent.byName.size < NAMES_MAX && isSettled(shards)) recent.byName.set(name, shards);
  return shards;
}
