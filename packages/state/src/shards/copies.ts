import type { NodeInfo, ShardRouting } from '../state.js';

/** Whether a node may hold shards. */
export function isDataNode(node: NodeInfo): boolean {
  return node.roles.some((role) => role === 'data' || role.startsWith('data_'));
}

/** Whether a copy answers searches and takes operations. */
export function isActive(copy: ShardRouting): boolean {
  return copy.state === 'STARTED' || copy.state === 'RELOCATING';
}

/** Whether a copy is the target of a relocation. Until it has started it does not count as a copy of its own. */
export function isRelocationTarget(copy: ShardRouting): boolean {
  return copy.state === 'INITIALIZING' && copy.relocatingNodeId !== null;
}

/** Whether a copy waits for the return of the node that it was on. */
export function isDelayed(copy: ShardRouting): boolean {
  return copy.state === 'UNASSIGNED' && copy.unassigned?.delayedUntilMs !== undefined;
}
