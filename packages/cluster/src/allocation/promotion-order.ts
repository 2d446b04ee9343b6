import type { ClusterState, ShardRouting } from '@shoal/state';
import { tableSummary } from './table-summary.js';
import type { AllocationContext, ShardStoreInfo } from './context.js';
import { drainingNode } from './deciders/node-shutdown.js';
import type { PromotionOrder } from './shard-group.js';

/** Number of copies by node. */
function loads(state: ClusterState): ReadonlyMap<string, number> {
  const result = new Map<string, number>();
  for (const table of state.routing.values()) {
    for (const [nodeId, count] of tableSummary(table).counts) result.set(nodeId, (result.get(nodeId) ?? 0) + count);
  }
  return result;
}

function storeOf(context: AllocationContext, copy: ShardRouting): ShardStoreInfo | undefined {
  const stores = context.stores?.(copy.indexUuid, copy.shard);
  return !stores || stores === 'unknown' ? undefined : stores.find((store) => store.nodeId === copy.nodeId);
}

/**
 * Returns the order in which in-sync replicas are promoted when the primary is lost: first those on nodes that do not
 * shut down, then without damage, then with the highest sequence number, then on the node with the fewest copies.
 */
export function promotionOrder(state: ClusterState, context: AllocationContext): PromotionOrder {
  let load: ReadonlyMap<string, number> | null = null;
  const count = (copy: ShardRouting): number => (load ??= loads(state)).get(copy.nodeId ?? '') ?? 0;
  const goes = (copy: ShardRouting): number => (drainingNode(state, copy.nodeId ?? '') ? 1 : 0);
  return (a, b) => {
    const [left, right] = [storeOf(context, a), storeOf(context, b)];
    return (
      goes(a) - goes(b) ||
      Number(left?.damaged ?? false) - Number(right?.damaged ?? false) ||
      (right?.maxSeqNo ?? 0) - (left?.maxSeqNo ?? 0) ||
      count(a) - count(b) ||
      ((a.nodeId ?? '') < (b.nodeId ?? '') ? -1 : 1)
    );
  };
}
