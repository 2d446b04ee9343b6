import type { ShardRouting, UnassignedInfo } from '@shoal/state';

/** Prints a copy as Elasticsearch does in explanations. */
export function describeCopy(indexName: string, copy: ShardRouting): string {
  const relocating = copy.relocatingNodeId === null ? '' : `, relocating [${copy.relocatingNodeId}]`;
  const source =
    copy.state === 'INITIALIZING' && copy.recoverySource !== null
      ? `, recovery_source[${describeSource(copy.recoverySource)}]`
      : '';
  const info = copy.unassigned && copy.state !== 'STARTED' ? `, ${describeUnassigned(copy.unassigned)}` : '';
  return (
    `[${indexName}][${copy.shard}], node[${copy.nodeId}]${relocating}, [${copy.primary ? 'P' : 'R'}]${source}, ` +
    `s[${copy.state}], a[id=${copy.allocationId}]${info}, failed_attempts[${copy.relocationFailures ?? 0}]`
  );
}

function describeSource(source: NonNullable<ShardRouting['recoverySource']>): string {
  const names = {
    EMPTY_STORE: 'new shard recovery',
    EXISTING_STORE: 'existing store recovery; bootstrap_history_uuid=false',
    PEER: 'peer recovery',
    LOCAL_SHARDS: 'local shards recovery',
    SNAPSHOT: 'snapshot recovery',
  } as const;
  return names[source];
}

/** Prints why a copy is unassigned, as Elasticsearch does. */
export function describeUnassigned(info: UnassignedInfo): string {
  const failed =
    info.failedAttempts > 0
      ? `, failed_attempts[${info.failedAttempts}], failed_nodes[[${(info.failedNodeIds ?? []).join(', ')}]]`
      : '';
  const details = info.details === null ? '' : `, details[${info.details}]`;
  return (
    `unassigned_info[[reason=${info.reason}], at[${new Date(info.atMs).toISOString()}]${failed}, ` +
    `delayed=${info.delayedUntilMs !== undefined}${details}, allocation_status[${info.status ?? 'no_attempt'}]]`
  );
}
