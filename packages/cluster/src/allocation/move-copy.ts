import { isPartiallyMounted, type ShardRouting } from '@shoal/state';
import type { Allocation } from './allocation.js';

/**
 * A started copy as other nodes are asked whether they may have it. One that is partially mounted cannot be copied, for
 * its store has holes that only the snapshot fills: it begins anew, as on its first node.
 */
export function asToPlace(allocation: Allocation, copy: ShardRouting): ShardRouting {
  const meta = allocation.meta(copy.indexUuid);
  if (!meta || !isPartiallyMounted(meta)) return copy;
  const unassigned = { reason: 'REINITIALIZED', atMs: allocation.context.nowMs, details: null, failedAttempts: 0 };
  return { ...copy, state: 'UNASSIGNED', nodeId: null, allocationId: null, recoverySource: 'SNAPSHOT', unassigned };
}

/** Moves a started copy to a node. One that is partially mounted is not there until it is open on that node. */
export function moveCopy(allocation: Allocation, copy: ShardRouting, nodeId: string): void {
  const { recoverySource, unassigned } = asToPlace(allocation, copy);
  if (recoverySource === 'SNAPSHOT' && unassigned) allocation.beginAnew(copy, nodeId, { recoverySource, unassigned });
  else allocation.relocate(copy, nodeId);
}
