import {
  type ClusterState,
  type IndexMetadata,
  type ShardRouting,
  withIndices,
  dataNodes,
  isActive,
  isRelocationTarget,
  primaryOf,
  unassignedShard,
} from '@shoal/state';
import { allowsByTier } from './deciders/data-tier.js';
import { indexFiltersAllow } from './deciders/filter.js';
import { trimmed } from './shard-group.js';

/** Replicas that `index.auto_expand_replicas` asks for, or null when it is off. */
export function expandedReplicas(state: ClusterState, meta: IndexMetadata): number | null {
  const range = meta.settings['index.auto_expand_replicas'];
  if (range === undefined || range === null || range === 'false') return null;
  const [min = '0', max = 'all'] = String(range).split('-');
  const eligible = dataNodes(state).filter(
    (node) => indexFiltersAllow(meta, node) && allowsByTier(state, meta, node),
  ).length;
  const limit = max === 'all' ? eligible - 1 : Math.min(Number(max), eligible - 1);
  return Math.max(Number(min), limit);
}

/** Best first: those that are given up first come last. */
function standing(copy: ShardRouting): number {
  return isActive(copy) ? 0 : copy.state === 'INITIALIZING' ? 1 : 2;
}

/** Copies of one shard with as many replicas as wanted; a dropped copy takes its relocation target along. */
function resized(
  copies: readonly ShardRouting[],
  meta: IndexMetadata,
  shard: number,
  atMs: number,
): readonly ShardRouting[] {
  const replicas = copies.filter((copy) => !copy.primary && !isRelocationTarget(copy));
  if (replicas.length === meta.numberOfReplicas) return copies;
  const kept = new Set(replicas.sort((a, b) => standing(a) - standing(b)).slice(0, meta.numberOfReplicas));
  const targetOfKept = (target: ShardRouting): boolean =>
    [...kept].some((copy) => copy.relocatingNodeId === target.nodeId && copy.nodeId === target.relocatingNodeId);
  const stay = copies.filter(
    (copy) => copy.primary || kept.has(copy) || (isRelocationTarget(copy) && targetOfKept(copy)),
  );
  const added = Array.from({ length: meta.numberOfReplicas - kept.size }, () =>
    unassignedShard(meta.uuid, shard, false, { reason: 'REPLICA_ADDED', atMs }, 'PEER'),
  );
  return [...stay, ...added];
}

/** Adds or drops replicas so that each shard has as many as the index asks for; dropped are unassigned ones first. */
export function resizeReplicas(
  table: readonly (readonly ShardRouting[])[],
  meta: IndexMetadata,
  atMs: number,
): (readonly ShardRouting[])[] {
  return table.map((copies, shard) => resized(copies, meta, shard, atMs));
}

/**
 * In-sync ids of one shard that remain. While the primary is active, those go that have no copy beyond the number of
 * copies, too: the nodes that had them may delete what they have, since all copies are elsewhere. A set never becomes
 * empty.
 */
function remaining(
  ids: readonly string[],
  before: readonly ShardRouting[],
  after: readonly ShardRouting[],
): readonly string[] {
  const gone = new Set(
    before.flatMap((copy) => (copy.allocationId !== null && !after.includes(copy) ? [copy.allocationId] : [])),
  );
  const kept = gone.size === 0 ? ids : ids.filter((id) => !gone.has(id));
  const primary = primaryOf(after);
  const bounded = primary !== undefined && isActive(primary) ? trimmed(kept, after) : kept;
  return bounded.length === 0 ? ids : bounded;
}

/** In-sync ids that still have a copy; all of them where none has. */
export function withoutDroppedCopies(
  meta: IndexMetadata,
  before: readonly (readonly ShardRouting[])[],
  after: readonly (readonly ShardRouting[])[],
): IndexMetadata {
  let changed = false;
  const inSync = meta.inSync.map((ids, shard) => {
    const kept = remaining(ids, before[shard] ?? [], after[shard] ?? []);
    if (kept.length === ids.length) return ids;
    changed = true;
    return kept;
  });
  return changed ? { ...meta, inSync, version: meta.version + 1 } : meta;
}

/** Puts the copies of some indices in line with their replica counts. */
export function withReplicaCounts(state: ClusterState, metas: readonly IndexMetadata[], atMs: number): ClusterState {
  const routing = new Map(state.routing);
  const resizedMetas = metas.map((meta) => {
    const before = routing.get(meta.uuid) ?? [];
    const after = resizeReplicas(before, meta, atMs);
    routing.set(meta.uuid, after);
    return withoutDroppedCopies(meta, before, after);
  });
  return { ...withIndices(state, resizedMetas), routing };
}

/** Applies automatic replica counts to all indices that ask for them. */
export function autoExpand(state: ClusterState, atMs: number): ClusterState {
  const changed = [...state.indices.values()].flatMap((meta) => {
    const replicas = expandedReplicas(state, meta);
    return replicas === null || replicas === meta.numberOfReplicas ? [] : [withReplicas(meta, replicas)];
  });
  return changed.length === 0 ? state : withReplicaCounts(state, changed, atMs);
}

export function withReplicas(meta: IndexMetadata, replicas: number): IndexMetadata {
  const settings = { ...meta.settings, 'index.number_of_replicas': String(replicas) };
  return {
    ...meta,
    settings,
    numberOfReplicas: replicas,
    version: meta.version + 1,
    settingsVersion: meta.settingsVersion + 1,
  };
}
