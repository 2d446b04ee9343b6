import type { AllocationStatus, ShardRouting } from '@shoal/state';
import type { Allocation } from './allocation.js';

/** Notes why a copy has no node; a note that says nothing new changes nothing. */
export function noteStatus(allocation: Allocation, copy: ShardRouting, status: AllocationStatus): ShardRouting {
  if (!copy.unassigned || (copy.unassigned.status ?? 'no_attempt') === status) return copy;
  return allocation.annotate(copy, { unassigned: { ...copy.unassigned, status } });
}

/** Takes back that nodes are being asked, once they have told. */
export function noteFetched(allocation: Allocation, copy: ShardRouting): ShardRouting {
  return copy.unassigned?.status === 'fetching_shard_data' ? noteStatus(allocation, copy, 'no_attempt') : copy;
}
