import type { ShardRouting, UnassignedInfo } from '@shoal/state';
import type { Allocation } from './allocation.js';

type AllocationStatus = NonNullable<UnassignedInfo['status']>;

/** Records why a copy is unassigned. An unchanged status keeps the copy and the state the same objects. */
export function noteStatus(allocation: Allocation, copy: ShardRouting, status: AllocationStatus): ShardRouting {
  if (!copy.unassigned || (copy.unassigned.status ?? 'no_attempt') === status) return copy;
  return allocation.annotate(copy, { unassigned: { ...copy.unassigned, status } });
}

/** Clears the status `fetching_shard_data` after the lists of stores have arrived. */
export function noteFetched(allocation: Allocation, copy: ShardRouting): ShardRouting {
  return copy.unassigned?.status === 'fetching_shard_data' ? noteStatus(allocation, copy, 'no_attempt') : copy;
}
