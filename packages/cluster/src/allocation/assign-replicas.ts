import { type ShardRouting, isActive } from '@shoal/state';
import { primaryOf } from './copies.js';
import type { Allocation, AllocationNode } from './allocation.js';
import { inSyncId, unassignedIndices } from './assign-primaries.js';
import { chooseNode } from './choose-node.js';
import type { ShardStoreInfo } from './context.js';
import { canAllocate } from './decide.js';
import { noteFetched, noteStatus } from './note-status.js';
import { CHEAP_RECOVERIES_MAX } from './recovery-cost.js';
import { Weights } from './weights.js';

/**
 * Returns the stores that a replica can reuse, best first: in-sync ones, which have all acknowledged operations; then
 * by a history shared with the primary, most operations, most segments.
 */
export function reusableStores(
  allocation: Allocation,
  copy: ShardRouting,
  stores: readonly ShardStoreInfo[],
): ShardStoreInfo[] {
  const primary = allocation.primary(copy);
  const known = allocation.meta(copy.indexUuid)?.inSync[copy.shard] ?? [];
  const isInSync = (store: ShardStoreInfo): boolean => inSyncId(store, known) !== null;
  const history = stores.find((store) => store.nodeId === primary?.nodeId)?.historyUuid;
  const lineage = (store: ShardStoreInfo): number => (history !== undefined && store.historyUuid === history ? 1 : 0);
  const last = (store: ShardStoreInfo): number => (store.nodeId === copy.unassigned?.lastNodeId ? 1 : 0);
  return stores
    .filter((store) => !store.damaged && (isInSync(store) || store.maxSeqNo >= 0 || store.segmentHashes > 0))
    .sort(
      (a, b) =>
        Number(isInSync(b)) - Number(isInSync(a)) ||
        lineage(b) - lineage(a) ||
        b.maxSeqNo - a.maxSeqNo ||
        b.segmentHashes - a.segmentHashes ||
        last(b) - last(a) ||
        (a.nodeId < b.nodeId ? -1 : 1),
    );
}

/**
 * Returns the node with the best reusable store that the deciders allow. `isThrottled`: the best node may have the
 * copy, but not yet.
 */
function ownData(
  allocation: Allocation,
  copy: ShardRouting,
  stores: readonly ShardStoreInfo[],
): { readonly node: AllocationNode | null; readonly isThrottled: boolean } {
  for (const store of reusableStores(allocation, copy, stores)) {
    const node = allocation.nodes.get(store.nodeId);
    const verdict = node ? canAllocate(allocation, copy, node) : 'NO';
    if (node && verdict === 'YES') return { node, isThrottled: false };
    if (verdict === 'THROTTLE') return { node: null, isThrottled: true };
  }
  return { node: null, isThrottled: false };
}

/** Whether some node may have old data of the shard. False for a shard that was just created. */
function mayHaveData(copy: ShardRouting): boolean {
  return copy.unassigned?.reason !== 'INDEX_CREATED';
}

function place(allocation: Allocation, weights: Weights, copy: ShardRouting, node: AllocationNode): void {
  allocation.assign(copy, node.info.id, allocation.context.newUuid());
  weights.placed(copy.indexUuid, copy.shard, node.info.id, null);
}

/**
 * Whether the node of the primary has reached its limit of outgoing recoveries: the replica can then not be assigned to
 * any node now.
 */
function isSourceBusy(allocation: Allocation, copy: ShardRouting): boolean {
  if (!mayHaveData(copy)) return false;
  const source = allocation.nodes.get(allocation.primary(copy)?.nodeId ?? '');
  return source !== undefined && source.outgoing >= allocation.settings.outgoingRecoveries;
}

function assignReplica(allocation: Allocation, weights: Weights, waiting: ShardRouting): void {
  if ((waiting.unassigned?.retryAtMs ?? 0) > allocation.context.nowMs) return;
  const stores = mayHaveData(waiting) ? allocation.context.stores?.(waiting.indexUuid, waiting.shard) : [];
  if (stores === 'unknown') return void noteStatus(allocation, waiting, 'fetching_shard_data');
  const copy = noteFetched(allocation, waiting);
  const own = ownData(allocation, copy, stores ?? []);
  if (own.node) return place(allocation, weights, copy, own.node);
  if (own.isThrottled || isSourceBusy(allocation, copy) || copy.unassigned?.delayedUntilMs !== undefined) return;
  const { node, verdict } = chooseNode(allocation, weights, copy);
  if (node && verdict === 'YES') place(allocation, weights, copy, node);
}

/** Whether some node may start another recovery. If not, the remaining unassigned copies are not looked at. */
function hasFreeSlot(allocation: Allocation): boolean {
  const { incomingRecoveries } = allocation.settings;
  return [...allocation.nodes.values()].some(
    (node) => node.cheap < CHEAP_RECOVERIES_MAX || node.incoming < incomingRecoveries,
  );
}

/** Phase 3: assigns replicas of active primaries, preferably to nodes with reusable data. */
export function assignReplicas(allocation: Allocation): void {
  if (allocation.unassigned === 0) return;
  const weights = new Weights(allocation);
  for (const meta of unassignedIndices(allocation)) {
    if (!hasFreeSlot(allocation)) return;
    for (const copies of allocation.table(meta.uuid)) {
      const primary = primaryOf(copies);
      if (!primary || !isActive(primary)) continue;
      for (const copy of copies) if (copy.state === 'UNASSIGNED') assignReplica(allocation, weights, copy);
    }
  }
}
