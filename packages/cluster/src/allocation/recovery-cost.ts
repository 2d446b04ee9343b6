import { type ShardRouting, isRelocationTarget } from '@shoal/state';
import type { AllocationContext } from './context.js';

/** Operations that a store may lack at most for a cheap recovery. */
const FEW_OPERATIONS = 1_000;

/**
 * Limit for concurrent cheap recoveries of a node. It is high because each round of recoveries costs a publication; the
 * node itself opens only a few stores at a time.
 */
export const CHEAP_RECOVERIES_MAX = 500;

/** Whether the store of the node has nearly all operations of the best store. */
function hasNearlyAll(context: AllocationContext, copy: ShardRouting, nodeId: string): boolean {
  const stores = context.stores?.(copy.indexUuid, copy.shard);
  if (!stores || stores === 'unknown') return false;
  const own = stores.find((store) => store.nodeId === nodeId && !store.damaged);
  if (!own) return false;
  const best = Math.max(...stores.map((store) => store.maxSeqNo));
  return best - own.maxSeqNo < FEW_OPERATIONS;
}

/**
 * Whether a copy can initialize on a node without copying much data: from an empty or its own store, or as a replica of
 * a new shard.
 */
export function isCheapRecovery(context: AllocationContext, copy: ShardRouting, nodeId = copy.nodeId ?? ''): boolean {
  if (isRelocationTarget(copy) || copy.state === 'STARTED') return false;
  if (copy.recoverySource === 'EMPTY_STORE' || copy.recoverySource === 'EXISTING_STORE') return true;
  if (copy.recoverySource !== 'PEER') return false;
  return copy.unassigned?.reason === 'INDEX_CREATED' || hasNearlyAll(context, copy, nodeId);
}
