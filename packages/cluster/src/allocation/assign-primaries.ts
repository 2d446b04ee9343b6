import { type IndexMetadata, isMounted, type ShardRouting } from '@shoal/state';
import { waitsForRetry } from './delays.js';
import { primaryOf } from './copies.js';
import { routingTotals } from './routing-totals.js';
import { tableSummary } from './table-summary.js';
import type { Allocation, AllocationNode } from './allocation.js';
import { chooseNode } from './choose-node.js';
import type { ShardStoreInfo } from './context.js';
import { canAllocate, canForceAllocate } from './decide.js';
import { noteFetched, noteStatus } from './note-status.js';
import { CHEAP_RECOVERIES_MAX } from './recovery-cost.js';
import { Weights } from './weights.js';

/** A store that may become primary, with its in-sync allocation id. */
export interface PrimaryCandidate {
  readonly node: AllocationNode;
  readonly store: ShardStoreInfo;
  readonly allocationId: string;
}

/**
 * Returns the in-sync allocation id of a store: its own, or that of its previous assignment if the store still has all
 * data of it. Null if the store is not in sync.
 */
export function inSyncId(store: ShardStoreInfo, inSync: readonly string[]): string | null {
  if (store.allocationId !== null && inSync.includes(store.allocationId)) return store.allocationId;
  if (store.prevAllocationId !== null && inSync.includes(store.prevAllocationId)) return store.prevAllocationId;
  return null;
}

/** Returns the in-sync stores without damage, the one with the highest term and sequence number first. */
export function primaryCandidates(
  allocation: Allocation,
  stores: readonly ShardStoreInfo[],
  inSync: readonly string[],
): PrimaryCandidate[] {
  const candidates = stores.flatMap((store): PrimaryCandidate[] => {
    const node = allocation.nodes.get(store.nodeId);
    const allocationId = store.damaged ? null : inSyncId(store, inSync);
    return node && allocationId !== null ? [{ node, store, allocationId }] : [];
  });
  return candidates.sort(
    (a, b) =>
      b.store.term - a.store.term ||
      b.store.maxSeqNo - a.store.maxSeqNo ||
      a.node.shards - b.node.shards ||
      (a.store.nodeId < b.store.nodeId ? -1 : 1),
  );
}

function fromStores(
  allocation: Allocation,
  copy: ShardRouting,
  meta: IndexMetadata,
  stores: readonly ShardStoreInfo[],
): void {
  const candidates = primaryCandidates(allocation, stores, meta.inSync[copy.shard] ?? []);
  if (candidates.length === 0) return void noteStatus(allocation, copy, 'no_valid_shard_copy');
  const willing = candidates.map((candidate) => ({
    candidate,
    verdict: canAllocate(allocation, copy, candidate.node),
  }));
  const chosen = willing.find(({ verdict }) => verdict === 'YES');
  if (chosen) return void allocation.assign(copy, chosen.candidate.node.info.id, chosen.candidate.allocationId);
  if (willing.some(({ verdict }) => verdict === 'THROTTLE')) return;
  // If every decider that forbids the node may be overruled, the primary starts there nevertheless: its data is on no
  // other node.
  const forced = candidates.find((candidate) => canForceAllocate(allocation, copy, candidate.node) === 'YES');
  if (forced) allocation.assign(copy, forced.node.info.id, forced.allocationId);
  else noteStatus(allocation, copy, 'deciders_no');
}

/** Assigns a primary without lists of stores: to the node that it was last on, or to any node if it was on none. */
function fromOwnStore(allocation: Allocation, weights: Weights, copy: ShardRouting): void {
  const lastNodeId = copy.unassigned?.lastNodeId;
  if (lastNodeId === undefined) return anywhere(allocation, weights, copy);
  const last = allocation.nodes.get(lastNodeId);
  if (!last) return void noteStatus(allocation, copy, 'no_valid_shard_copy');
  const verdict = canForceAllocate(allocation, copy, last);
  if (verdict === 'YES') allocation.assign(copy, lastNodeId, allocation.context.newUuid());
  else if (verdict === 'NO') noteStatus(allocation, copy, 'deciders_no');
}

function anywhere(allocation: Allocation, weights: Weights, copy: ShardRouting): void {
  const { node, verdict } = chooseNode(allocation, weights, copy);
  if (node && verdict === 'YES') return void allocation.assign(copy, node.info.id, allocation.context.newUuid());
  const forced = [...allocation.nodes.values()].find((other) => canForceAllocate(allocation, copy, other) === 'YES');
  if (forced) allocation.assign(copy, forced.info.id, allocation.context.newUuid());
  else if (verdict === 'NO') noteStatus(allocation, copy, 'deciders_no');
}

function asNew(
  allocation: Allocation,
  weights: Weights,
  copy: ShardRouting,
  changes: Partial<ShardRouting> = {},
): void {
  const { node, verdict } = chooseNode(allocation, weights, copy);
  if (!node) return void noteStatus(allocation, copy, 'deciders_no');
  if (verdict !== 'YES') return;
  allocation.assign(copy, node.info.id, allocation.context.newUuid(), changes);
  weights.placed(copy.indexUuid, copy.shard, node.info.id, null);
}

/** Whether a node with a store of the shard is alive. */
function hasStore(allocation: Allocation, copy: ShardRouting, meta: IndexMetadata): boolean {
  const stores = allocation.context.stores?.(copy.indexUuid, copy.shard);
  if (stores === 'unknown') return true;
  if (stores !== undefined) return primaryCandidates(allocation, stores, meta.inSync[copy.shard] ?? []).length > 0;
  return allocation.nodes.has(copy.unassigned?.lastNodeId ?? '');
}

/**
 * Whether a primary of a mounted index is made again from its snapshot: no living node has a store of it, and none that
 * is being restarted is about to bring one back.
 */
function isMadeAgain(allocation: Allocation, copy: ShardRouting, meta: IndexMetadata): boolean {
  if (!isMounted(meta) || hasStore(allocation, copy, meta)) return false;
  const { reason, delayedUntilMs = 0 } = copy.unassigned ?? {};
  return reason !== 'NODE_RESTARTING' || delayedUntilMs <= allocation.context.nowMs;
}

function assignPrimary(allocation: Allocation, weights: Weights, copy: ShardRouting, meta: IndexMetadata): void {
  if (waitsForRetry(copy, allocation.context.nowMs)) return;
  if (copy.recoverySource !== 'EXISTING_STORE') return asNew(allocation, weights, copy);
  if (isMadeAgain(allocation, copy, meta)) return asNew(allocation, weights, copy, { recoverySource: 'SNAPSHOT' });
  const stores = allocation.context.stores?.(copy.indexUuid, copy.shard);
  if (stores === undefined) return fromOwnStore(allocation, weights, copy);
  if (stores === 'unknown') return void noteStatus(allocation, copy, 'fetching_shard_data');
  fromStores(allocation, noteFetched(allocation, copy), meta, stores);
}

/**
 * Returns the indices with unassigned copies in order of `index.priority`, highest first, then by creation date, newest
 * first.
 */
export function unassignedIndices(allocation: Allocation): readonly IndexMetadata[] {
  let metas = orders.get(allocation);
  if (!metas) {
    metas = inOrder(allocation);
    orders.set(allocation, metas);
  }
  return metas;
}

/** Result of `unassignedIndices` for each allocation, whose phases all need it. */
const orders = new WeakMap<Allocation, readonly IndexMetadata[]>();

function inOrder(allocation: Allocation): IndexMetadata[] {
  const metas = [...routingTotals(allocation.state).unsettled].flatMap((uuid) => {
    const meta = allocation.meta(uuid);
    return meta && tableSummary(allocation.state.routing.get(uuid)!).unassigned > 0 ? [meta] : [];
  });
  const keys = new Map(
    metas.map((meta) => [
      meta,
      {
        priority: Number(meta.settings['index.priority'] ?? 1),
        created: Number(meta.settings['index.creation_date'] ?? 0),
      },
    ]),
  );
  return metas.sort((a, b) => {
    const [left, right] = [keys.get(a)!, keys.get(b)!];
    return right.priority - left.priority || right.created - left.created || (a.name < b.name ? 1 : -1);
  });
}

/** Whether some node may start another cheap recovery. Nearly all primaries need only that. */
function hasFreeSlot(allocation: Allocation): boolean {
  return [...allocation.nodes.values()].some((node) => node.cheap < CHEAP_RECOVERIES_MAX);
}

/** Phase 2: assigns primaries. New ones go to the emptiest node, others to a node with an in-sync store. */
export function assignPrimaries(allocation: Allocation): void {
  if (allocation.unassignedPrimaries === 0) return;
  const weights = new Weights(allocation);
  for (const meta of unassignedIndices(allocation)) {
    if (!hasFreeSlot(allocation)) return;
    if (tableSummary(allocation.state.routing.get(meta.uuid)!).unassignedPrimaries === 0) continue;
    for (const copies of allocation.table(meta.uuid)) {
      const primary = primaryOf(copies);
      if (primary?.state === 'UNASSIGNED') assignPrimary(allocation, weights, primary, meta);
    }
  }
}
