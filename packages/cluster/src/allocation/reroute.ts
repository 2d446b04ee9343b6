import { waitsForNodes } from '../metadata/state-recovery.js';
import { type ClusterState, tableSummary } from '@shoal/state';
import type { RerouteExtent } from '../tasks/task.js';
import { Allocation } from './allocation.js';
import { assignPrimaries } from './assign-primaries.js';
import { assignReplicas } from './assign-replicas.js';
import type { AllocationContext } from './context.js';
import { endWaits } from './end-waits.js';
import { type NodeLoss, loseNodes } from './lost-nodes.js';
import { moveShards } from './move-shards.js';
import { rebalance } from './rebalance.js';

/** Nodes that copies are on although the state does not know them. */
function strayNodes(state: ClusterState): Map<string, NodeLoss> {
  const stray = new Map<string, NodeLoss>();
  for (const table of state.routing.values()) {
    for (const nodeId of tableSummary(table).holders) {
      if (!state.nodes.has(nodeId) && !stray.has(nodeId))
        stray.set(nodeId, { reason: 'NODE_LEFT', details: `node_left [${nodeId}]` });
    }
  }
  return stray;
}

/**
 * Places copies: 1 those of nodes that are gone are lost and replicas promoted, 2 primaries, 3 replicas, 4 copies that
 * may not stay, 5 moves for balance. `primaries` stops after 2. Pure but for the ids; what does not change keeps its
 * identity, and a state that is as it should be is returned itself.
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
