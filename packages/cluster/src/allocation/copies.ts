import { type ClusterState, isActive, isDataNode, type NodeInfo, type ShardRouting } from '@shoal/state';

/** Returns the nodes that may hold shards. */
export function dataNodes(state: ClusterState): NodeInfo[] {
  return [...state.nodes.values()].filter(isDataNode);
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
