import type { Json } from '@shoal/json';
import type { ClusterState, IndexMetadata, ShardRouting, UnassignedInfo } from '@shoal/state';
import { Allocation } from '../allocation.js';
import type { AllocationContext } from '../context.js';
import { explainStarted, explainUnderWay } from './explain-assigned.js';
import { explainUnassigned } from './explain-unassigned.js';

const STATUS_WORDS: Readonly<Record<NonNullable<UnassignedInfo['status']>, string>> = {
  no_attempt: 'no_attempt',
  fetching_shard_data: 'awaiting_info',
  no_valid_shard_copy: 'no_valid_shard_copy',
  deciders_no: 'no',
  deciders_throttled: 'throttled',
  delayed_allocation: 'allocation_delayed',
};

function unassignedInfo(info: UnassignedInfo): Json {
  return {
    unassigned_info: {
      reason: info.reason,
      at: new Date(info.atMs).toISOString(),
      ...(info.failedAttempts > 0 ? { failed_allocation_attempts: info.failedAttempts } : {}),
      ...(info.details === null ? {} : { details: info.details }),
      last_allocation_status: STATUS_WORDS[info.status ?? 'no_attempt'],
    },
  };
}

/** Returns the answer of `_cluster/allocation/explain` for one copy, by the same deciders that allocate it. */
export function explainShard(
  state: ClusterState,
  meta: IndexMetadata,
  copy: ShardRouting,
  context: AllocationContext,
  includeYes: boolean,
): Json {
  const allocation = new Allocation(state, context, { explains: true });
  const head = {
    index: meta.name,
    shard: copy.shard,
    primary: copy.primary,
    current_state: copy.state.toLowerCase(),
    ...(copy.unassigned && copy.state !== 'STARTED' ? unassignedInfo(copy.unassigned) : {}),
  };
  if (copy.state === 'UNASSIGNED') return { ...head, ...explainUnassigned(allocation, meta, copy, includeYes) };
  return {
    ...head,
    ...(copy.state === 'STARTED' ? explainStarted(allocation, copy, includeYes) : explainUnderWay(allocation, copy)),
  };
}
