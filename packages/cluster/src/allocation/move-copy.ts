import { isPartiallyMounted, type ShardRouting } from '@shoal/state';
import type { Allocation } from './allocation.js';

/**
 * Moves a started copy to a node; it answers until the new one has started. A copy that is partially mounted has a
 * store with holes that only the snapshot fills: the new one is opened from the snapshot, as on its first node.
 */
export function moveCopy(allocation: Allocation, copy: ShardRouting, nodeId: string): void {
  const meta = allocation.meta(copy.indexUuid);
  allocation.relocate(copy, nodeId, meta && isPartiallyMounted(meta) ? 'SNAPSHOT' : 'PEER');
}
