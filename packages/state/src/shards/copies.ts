import type { ClusterState, IndexMetadata, NodeInfo, ShardRouting, UnassignedInfo } from '../state.js';

type RecoverySource = ShardRouting['recoverySource'];

/** Why and when copies become unassigned. */
export interface UnassignedCause {
  readonly reason: string;
  readonly atMs: number;
}

/** Whether a node may hold shards. */
export function isDataNode(node: NodeInfo): boolean {
  return node.roles.some((role) => role === 'data' || role.startsWith('data_'));
}

/** Returns the nodes that may hold shards. */
export function dataNodes(state: ClusterState): NodeInfo[] {
  return [...state.nodes.values()].filter(isDataNode);
}

/** Whether a copy answers searches and takes operations. */
export function isActive(copy: ShardRouting): boolean {
  return copy.state === 'STARTED' || copy.state === 'RELOCATING';
}

/** Whether a copy is the target of a relocation. Until it has started it does not count as a copy of its own. */
export function isRelocationTarget(copy: ShardRouting): boolean {
  return copy.state === 'INITIALIZING' && copy.relocatingNodeId !== null;
}

/** Returns the primary, active or not; never the target of a relocation. */
export function primaryOf(copies: readonly ShardRouting[]): ShardRouting | undefined {
  return copies.find((copy) => copy.primary);
}

/** Returns the nodes that have an active copy of every shard of an index. */
export function nodesWithAll(table: readonly (readonly ShardRouting[])[]): string[] {
  const holders = (copies: readonly ShardRouting[] = []): string[] =>
    copies.flatMap((copy) => (copy.nodeId !== null && isActive(copy) ? [copy.nodeId] : []));
  return holders(table[0]).filter((nodeId) => table.every((copies) => holders(copies).includes(nodeId)));
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

function describeSource(source: NonNullable<RecoverySource>): string {
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
