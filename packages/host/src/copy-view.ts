import type { ClusterState, ShardRouting } from '@shoal/state';
import type { CopyView } from '@shoal/replication';

/** Derives from the cluster state what replication needs to know about a copy. */
export function copyViewOf(state: ClusterState, own: ShardRouting): CopyView {
  const index = state.indices.get(own.indexUuid)!;
  const group = state.routing.get(own.indexUuid)?.[own.shard] ?? [];
  const isStarted = own.state === 'STARTED' || own.state === 'RELOCATING';
  // A partially mounted copy moves without its source: it is opened from the snapshot, and no write is ever missing.
  const isMoving = own.state === 'INITIALIZING' && own.relocatingNodeId !== null;
  const opensAlone = isMoving && own.recoverySource === 'SNAPSHOT';
  const isTarget = isMoving && !opensAlone;
  const isActive = (copy: ShardRouting): boolean => copy.state === 'STARTED' || copy.state === 'RELOCATING';
  const copies = group.flatMap(({ allocationId, nodeId }) =>
    allocationId === null || nodeId === null || allocationId === own.allocationId ? [] : [{ allocationId, nodeId }],
  );
  return {
    indexUuid: own.indexUuid,
    shard: own.shard,
    allocationId: own.allocationId!,
    isPrimary: own.primary && !isTarget,
    isStarted,
    takesOver: own.primary && isTarget,
    isForced: own.isForced === true,
    recoverySource: isTarget ? 'PEER' : own.recoverySource,
    term: index.primaryTerms[own.shard] ?? 1,
    group: opensAlone
      ? { inSync: [own.allocationId!], copies: [], total: 1 }
      : { inSync: index.inSync[own.shard] ?? [], copies, total: 1 + index.numberOfReplicas },
    primaryNodeId: group.find((copy) => copy.primary && isActive(copy))?.nodeId ?? null,
  };
}
