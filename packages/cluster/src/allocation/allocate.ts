import type { ClusterState, IndexMetadata, NodeInfo, ShardRouting } from '../state.js';
import { indexSetting } from '../settings/index-settings.js';
import { matchesAny } from '../names/wildcards.js';
import { withIndices } from '../state-edit.js';

/** What allocation needs from outside: ids, as everything else is in the state. */
export interface AllocationContext {
  readonly nowMs: number;
  newUuid(): string;
}

type RecoverySource = ShardRouting['recoverySource'];

export interface UnassignedCause {
  readonly reason: string;
  readonly atMs: number;
}

export function unassignedShard(indexUuid: string, shard: number, primary: boolean, cause: UnassignedCause, recoverySource: RecoverySource): ShardRouting {
  return {
    indexUuid,
    shard,
    primary,
    state: 'UNASSIGNED',
    nodeId: null,
    relocatingNodeId: null,
    allocationId: null,
    recoverySource,
    unassigned: { reason: cause.reason, atMs: cause.atMs, details: null, failedAttempts: 0 },
  };
}

/** Routing of an index none of whose copies has a place yet. */
export function unassignedRouting(meta: IndexMetadata, cause: UnassignedCause, primarySource: RecoverySource): ShardRouting[][] {
  return Array.from({ length: meta.numberOfShards }, (_, shard) => [
    unassignedShard(meta.uuid, shard, true, cause, primarySource),
    ...Array.from({ length: meta.numberOfReplicas }, () => unassignedShard(meta.uuid, shard, false, cause, 'PEER')),
  ]);
}

export function isDataNode(node: NodeInfo): boolean {
  return node.roles.some((role) => role === 'data' || role.startsWith('data_'));
}

export function dataNodes(state: ClusterState): NodeInfo[] {
  return [...state.nodes.values()].filter(isDataNode);
}

export function isActive(copy: ShardRouting): boolean {
  return copy.state === 'STARTED' || copy.state === 'RELOCATING';
}

/** Shards a node holds, for balancing. */
function loads(state: ClusterState): Map<string, number> {
  const load = new Map<string, number>(dataNodes(state).map((node) => [node.id, 0]));
  for (const table of state.routing.values()) {
    for (const copies of table) for (const copy of copies) if (copy.nodeId !== null) load.set(copy.nodeId, (load.get(copy.nodeId) ?? 0) + 1);
  }
  return load;
}

function matchesFilter(value: string, wanted: string): boolean {
  return matchesAny(wanted.split(','), value);
}

function filterValue(node: NodeInfo, attribute: string): string {
  if (attribute === '_name') return node.name;
  if (attribute === '_id') return node.id;
  if (attribute === '_ip' || attribute === '_publish_ip' || attribute === '_host_ip') return node.ip;
  if (attribute === '_host') return node.host;
  return node.attributes[attribute] ?? '';
}

/** `index.routing.allocation.{require,include,exclude}.*`; tiers never exclude a node that has the role `data`. */
export function filterAllows(meta: IndexMetadata, node: NodeInfo): boolean {
  for (const [name, raw] of Object.entries(meta.settings)) {
    const match = /^index\.routing\.allocation\.(require|include|exclude)\.(.+)$/.exec(name);
    if (!match || match[2] === '_tier_preference' || match[2] === '_tier' || raw === null || raw === '') continue;
    const hit = matchesFilter(filterValue(node, match[2]!), String(raw));
    if (match[1] === 'exclude' ? hit : !hit) return false;
  }
  return true;
}

function enabledFor(meta: IndexMetadata, copy: ShardRouting): boolean {
  const enable = String(indexSetting(meta.settings, 'index.routing.allocation.enable')).toLowerCase();
  if (enable === 'all') return true;
  if (!copy.primary || enable === 'none') return copy.primary && copy.recoverySource === 'EXISTING_STORE';
  return enable === 'primaries' || copy.recoverySource === 'EMPTY_STORE' || copy.recoverySource === 'EXISTING_STORE';
}

/** The least loaded node that may take a copy, or null. */
function chooseNode(state: ClusterState, meta: IndexMetadata, copies: readonly ShardRouting[], load: ReadonlyMap<string, number>): string | null {
  let best: string | null = null;
  for (const node of dataNodes(state)) {
    if (copies.some((copy) => copy.nodeId === node.id) || !filterAllows(meta, node)) continue;
    if (best === null || (load.get(node.id) ?? 0) < (load.get(best) ?? 0)) best = node.id;
  }
  return best;
}

function placeCopies(state: ClusterState, meta: IndexMetadata, copies: readonly ShardRouting[], load: Map<string, number>, context: AllocationContext): readonly ShardRouting[] {
  let placed = copies;
  copies.forEach((copy, position) => {
    if (copy.state !== 'UNASSIGNED' || !enabledFor(meta, copy)) return;
    if (!copy.primary && !placed.some((other) => other.primary && isActive(other))) return;
    const nodeId = chooseNode(state, meta, placed, load);
    if (nodeId === null) return;
    load.set(nodeId, (load.get(nodeId) ?? 0) + 1);
    const assigned: ShardRouting = { ...copy, state: 'INITIALIZING', nodeId, allocationId: context.newUuid() };
    placed = placed.with(position, assigned);
  });
  return placed;
}

/** Gives unassigned copies a node where the deciders allow one. Pure but for the allocation ids. Tables without a change keep their identity. */
export function allocate(state: ClusterState, context: AllocationContext): ClusterState {
  const routing = new Map(state.routing);
  const load = loads(state);
  let changed = false;
  for (const [uuid, table] of state.routing) {
    const meta = state.indices.get(uuid);
    if (!meta || !table.some((copies) => copies.some((copy) => copy.state === 'UNASSIGNED'))) continue;
    const next = table.map((copies) => placeCopies(state, meta, copies, load, context));
    if (next.every((copies, shard) => copies === table[shard])) continue;
    routing.set(uuid, next);
    changed = true;
  }
  return changed ? { ...state, routing } : state;
}

/** Replicas that `index.auto_expand_replicas` asks for, or null when it is off. */
export function expandedReplicas(state: ClusterState, meta: IndexMetadata): number | null {
  const range = String(indexSetting(meta.settings, 'index.auto_expand_replicas'));
  if (range === 'false') return null;
  const [min = '0', max = 'all'] = range.split('-');
  const others = dataNodes(state).length - 1;
  const limit = max === 'all' ? others : Math.min(Number(max), others);
  return Math.max(Number(min), limit);
}

/** Adds or drops replicas so that each shard has as many as the index asks for; dropped are unassigned ones first. */
export function resizeReplicas(table: readonly (readonly ShardRouting[])[], meta: IndexMetadata, atMs: number): ShardRouting[][] {
  return table.map((copies, shard) => {
    const replicas = copies.filter((copy) => !copy.primary).sort((a, b) => Number(isActive(b)) - Number(isActive(a)));
    const kept = replicas.slice(0, meta.numberOfReplicas);
    const added = Array.from({ length: meta.numberOfReplicas - kept.length }, () =>
      unassignedShard(meta.uuid, shard, false, { reason: 'REPLICA_ADDED', atMs }, 'PEER'));
    return [...copies.filter((copy) => copy.primary), ...kept, ...added];
  });
}

/** Applies automatic replica counts to all indices that ask for them. */
export function autoExpand(state: ClusterState, atMs: number): ClusterState {
  const changed = [...state.indices.values()].flatMap((meta) => {
    const replicas = expandedReplicas(state, meta);
    return replicas === null || replicas === meta.numberOfReplicas ? [] : [withReplicas(meta, replicas)];
  });
  if (changed.length === 0) return state;
  const routing = new Map(state.routing);
  for (const meta of changed) routing.set(meta.uuid, resizeReplicas(routing.get(meta.uuid) ?? [], meta, atMs));
  return { ...withIndices(state, changed), routing };
}

export function withReplicas(meta: IndexMetadata, replicas: number): IndexMetadata {
  const settings = { ...meta.settings, 'index.number_of_replicas': String(replicas) };
  return { ...meta, settings, numberOfReplicas: replicas, version: meta.version + 1, settingsVersion: meta.settingsVersion + 1 };
}
