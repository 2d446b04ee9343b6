import type { IndexMetadata, ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from './allocation.js';
import { canAllocate, canRebalance } from './decide.js';
import { moveCopy } from './move-copy.js';
import { byWeight, Weights } from './weights.js';

/** Tolerance of weight differences, for rounding errors. */
const EPSILON = 0.001;

/** Returns the started copies of an index on a node; primaries last, as moving a replica disturbs less. */
function copiesOn(allocation: Allocation, uuid: string, nodeId: string): ShardRouting[] {
  const here = allocation
    .table(uuid)
    .flatMap((copies) => copies.filter((copy) => copy.nodeId === nodeId && copy.state === 'STARTED'));
  return here.sort((a, b) => Number(a.primary) - Number(b.primary) || a.shard - b.shard);
}

function movable(
  allocation: Allocation,
  weights: Weights,
  uuid: string,
  from: AllocationNode,
  to: AllocationNode,
): ShardRouting | undefined {
  return copiesOn(allocation, uuid, from.info.id).find(
    (copy) =>
      weights.evens(uuid, copy.shard, from, to) &&
      canRebalance(allocation, copy) === 'YES' &&
      canAllocate(allocation, copy, to) === 'YES',
  );
}

/**
 * Moves one copy of an index from a full to an empty node, trying the pairs with the greatest difference first. Returns
 * false if no pair differs by more than the threshold, or no copy may move.
 */
function moveOne(allocation: Allocation, weights: Weights, meta: IndexMetadata): boolean {
  const threshold = allocation.settings.weights.threshold + EPSILON;
  const ordered = byWeight(weights, allocation, meta.uuid);
  for (let high = ordered.length - 1; high > 0; high--) {
    const from = ordered[high]!;
    if (from.weight - ordered[0]!.weight <= threshold) return false;
    if (allocation.indexCount(meta.uuid, from.node.info.id) === 0) continue;
    for (let low = 0; low < high; low++) {
      const to = ordered[low]!;
      if (from.weight - to.weight <= threshold) break;
      const copy = movable(allocation, weights, meta.uuid, from.node, to.node);
      if (!copy) continue;
      moveCopy(allocation, copy, to.node.info.id);
      weights.placed(meta.uuid, copy.shard, to.node.info.id, from.node.info.id);
      return true;
    }
  }
  return false;
}

/** Whether the cluster allows moves for balance now. Checked first, to skip all indices while copies are missing. */
function mayMove(allocation: Allocation): boolean {
  const { allowRebalance, concurrentRebalance } = allocation.settings;
  if (allocation.nodes.size < 2) return false;
  if (concurrentRebalance !== -1 && allocation.relocations >= concurrentRebalance) return false;
  if (allowRebalance === 'indices_all_active') return allocation.inactive === 0;
  return allowRebalance === 'always' || allocation.inactivePrimaries === 0;
}

/** Returns the indices whose node weights differ by more than the threshold, the most uneven first. */
function unevenIndices(allocation: Allocation, weights: Weights): IndexMetadata[] {
  const threshold = allocation.settings.weights.threshold + EPSILON;
  const uneven: { readonly meta: IndexMetadata; readonly delta: number }[] = [];
  for (const uuid of allocation.state.routing.keys()) {
    const meta = allocation.meta(uuid);
    if (!meta) continue;
    const delta = weights.deltaOf(uuid);
    if (delta > threshold) uneven.push({ meta, delta });
  }
  return uneven.sort((a, b) => b.delta - a.delta).map(({ meta }) => meta);
}

/**
 * Phase 5: moves copies from full nodes to empty ones until no index has node weights that differ by more than the
 * threshold, or the limit of concurrent moves is reached. Each round moves at most one copy of each index, the most
 * uneven index first. Moving all copies of a few indices at once would overfill a new node, and half of them would move
 * again (docs/adr/0005-balance-step-by-step.md). The loop ends because each move lowers a sum of squares
 * (`Weights.evens`).
 */
export function rebalance(allocation: Allocation): void {
  if (!mayMove(allocation)) return;
  const weights = new Weights(allocation, true);
  for (let moves = true; moves; ) {
    moves = false;
    for (const meta of unevenIndices(allocation, weights)) {
      if (!moveOne(allocation, weights, meta)) continue;
      if (!mayMove(allocation)) return;
      moves = true;
    }
  }
}
