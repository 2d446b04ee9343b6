import type { IndexMetadata, ShardRouting, UnassignedInfo } from '@shoal/state';

type RecoverySource = ShardRouting['recoverySource'];

/** Why and when copies become unassigned. */
export interface UnassignedCause {
  readonly reason: string;
  readonly atMs: number;
}

/** Makes an unassigned copy of a shard. */
export function unassignedShard(
  indexUuid: string,
  shard: number,
  primary: boolean,
  cause: UnassignedCause,
  recoverySource: RecoverySource,
): ShardRouting {
  const unassigned: UnassignedInfo = { reason: cause.reason, atMs: cause.atMs, details: null, failedAttempts: 0 };
  return {
    indexUuid,
    shard,
    primary,
    state: 'UNASSIGNED',
    nodeId: null,
    relocatingNodeId: null,
    allocationId: null,
    recoverySource,
    unassigned,
  };
}

/** Makes the routing table of an index with all copies unassigned. */
export function unassignedRouting(
  meta: IndexMetadata,
  cause: UnassignedCause,
  primarySource: RecoverySource,
): ShardRouting[][] {
  return Array.from({ length: meta.numberOfShards }, (_, shard) => [
    unassignedShard(meta.uuid, shard, true, cause, primarySource),
    ...Array.from({ length: meta.numberOfReplicas }, () => unassignedShard(meta.uuid, shard, false, cause, 'PEER')),
  ]);
}
