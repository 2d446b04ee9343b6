import { waitsForNodes } from '../metadata/state-recovery.js';
import type { ClusterState } from '@shoal/state';
import { routingTotals } from './routing-totals.js';
import type { RerouteExtent } from '../tasks/task.js';
import { Allocation } from './allocation.js';
import { assignPrimaries } from './assign-primaries.js';
import { assignReplicas } from './assign-replicas.js';
import type { AllocationContext } from './context.js';
import { endWaits } from './end-waits.js';
import { type NodeLoss, loseNodes } from './lost-nodes.js';
import { moveShards } from './move-shards.js';
import { rebalance } from './rebalance.js';

/** Returns nodes that have copies in the routing table, but are not in the state. */
function strayNodes(state: ClusterState): Map<string, NodeLoss> {
  const stray = new Map<string, NodeLoss>();
  for (const nodeId of [...routingTotals(state).holders.keys()].sort())
    if (!state.nodes.has(nodeId)) stray.set(nodeId, { reason: 'NODE_LEFT', details: `node_left [${nodeId}]` });
  return stray;
}

/**
 * Allocates copies in five phases: 1 removes the copies of missing nodes and promotes replicas, 2 assigns primaries, 3
 * assigns replicas, 4 moves copies off nodes where they may not stay, 5 balances. `extent` `primaries` ends after phase
 * 2. Pure except for new ids. Unchanged parts keep their identity; without changes the same state is returned.
 */
export function reroute(state: ClusterState, context: AllocationContext, extent: RerouteExtent = 'all'): ClusterState {
  const stray = strayNodes(state);
  const known = stray.size === 0 ? state : loseNodes(state, stray, context);
  if (waitsForNodes(known)) return known;
  const allocation = new Allocation(known, context);
  endWaits(allocation);
  assignPrimaries(allocation);
  if (extent === 'all') {
    assignReplicas(allocation);
    moveShards(allocation);
    rebalance(allocation);
  }
  return allocation.finish();
}
