import { type ShardRouting, isRelocationTarget } from '@shoal/state';
import type { AllocationContext } from './context.js';

/** A store that lacks fewer operations than this is brought up to date without counting as a copy of data. */
const FEW_OPERATIONS = 1_000;

/**
 * Recoveries of this kind that run at a time on a node, which opens a few at a time of those that have to be opened:
 * each round of them costs a publication.
 */
export const CHEAP_RECOVERIES_MAX = 500;

/** Whether the node's own store has nearly all that the best one has. */
function hasNearlyAll(context: AllocationContext, copy: ShardRouting, nodeId: string): boolean {
  const stores = context.stores?.(copy.indexUuid, copy.shard);
  if (!stores || stores === 'unknown') return false;
  const own = stores.find((store) => store.nodeId === nodeId && !store.damaged);
  if (!own) return false;
  const best = Math.max(...stores.map((store) => store.maxSeqNo));
  return best - own.maxSeqNo < FEW_OPERATIONS;
}

/**
 * Whether a copy comes to a node without much data being copied: an empty or its own store, or a replica of a shard
 * that has just been made.
 */
export function isCheapRecovery(context: AllocationContext, copy: ShardRouting, nodeId = copy.nodeId ?? ''): boolean {
  if (isRelocationTarget(copy) || copy.state === 'STARTED') return false;
  if (copy.recoverySource === 'EMPTY_STORE' || copy.recoverySource === 'EXISTING_STORE') return true;
  if (copy.recoverySource !== 'PEER') return false;
  return copy.unassigned?.reason === 'INDEX_CREATED' || hasNearlyAll(context, copy, nodeId);
}
