import { type ClusterState, type IndexMetadata, type ShardRouting, isActive, isRelocationTarget } from '@shoal/state';
import { withIndices } from '../metadata/edit-state.js';
import { dataNodes, primaryOf } from './copies.js';
import { unassignedShard } from './unassigned.js';
import { allowsByTier } from './deciders/data-tier.js';
import { indexFiltersAllow } from './deciders/filter.js';
import { trimmed } from './shard-group.js';

/** Returns the number of replicas that `index.auto_expand_replicas` requires; null if it is off. */
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

/** Sort key of replicas: the highest are dropped first. */
function standing(copy: ShardRouting): number {
  return isActive(copy) ? 0 : copy.state === 'INITIALIZING' ? 1 : 2;
}

/**
 * Returns the copies of one shard with the requested number of replicas. A dropped copy is removed with its relocation
 * target.
 */
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

/** Adds or drops replicas until each shard has the number of the index. Unassigned replicas are dropped first. */
export function resizeReplicas(
  table: readonly (readonly ShardRouting[])[],
  meta: IndexMetadata,
  atMs: number,
): (readonly ShardRouting[])[] {
  return table.map((copies, shard) => resized(copies, meta, shard, atMs));
}

/**
 * Returns the in-sync ids that remain after copies were dropped. While the primary is active, ids without a copy are
 * removed too if there are more ids than copies: their nodes may then delete their data, as all copies are elsewhere.
 * The last id is never removed.
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

/** Removes the in-sync ids of dropped copies from metadata. */
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

/** Adds or drops copies of some indices to match their numbers of replicas. */
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

/** Applies `index.auto_expand_replicas` to all indices that have it. */
export function autoExpand(state: ClusterState, atMs: number): ClusterState {
  const changed = [...state.indices.values()].flatMap((meta) => {
    const replicas = expandedReplicas(state, meta);
    return replicas === null || replicas === meta.numberOfReplicas ? [] : [withReplicas(meta, replicas)];
  });
  return changed.length === 0 ? state : withReplicaCounts(state, changed, atMs);
}

/** Returns the metadata with another number of replicas. */
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
