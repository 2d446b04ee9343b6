import { section } from '../../state-edit.js';
import type { ClusterState } from '../../state.js';
import type { AllocationNode, Allocation } from '../allocation.js';
import type { Decision } from '../decision.js';
import type { Decider } from './decider.js';

const NAME = 'node_shutdown';

/** A node that said it will go; entry of the section `draining`, by node id. */
export interface Draining {
  readonly ephemeralId: string;
  /** RESTART: it comes back, its copies wait for it. REMOVE: they move away first. */
  readonly type: 'RESTART' | 'REMOVE';
  readonly startedAtMs: number;
}

/** What a node said about going, or null; said by an earlier process of the node it does not count. */
export function drainingNode(state: ClusterState, nodeId: string): Draining | null {
  const found = section(state, 'draining')[nodeId] as Draining | undefined;
  const node = state.nodes.get(nodeId);
  return found && (!node || node.ephemeralId === found.ephemeralId) ? found : null;
}

function going(node: AllocationNode, allocation: Allocation): Draining | null {
  return allocation.state.customs.has('draining') ? drainingNode(allocation.state, node.info.id) : null;
}

function stays(allocation: Allocation): Decision {
  const none = Object.keys(section(allocation.state, 'draining')).length === 0;
  return allocation.decide(NAME, 'YES', () => (none ? 'no nodes are shutting down' : 'this node is not shutting down'));
}

/** Nodes that are about to end get nothing new; those that leave for good are emptied. */
export const nodeShutdown: Decider = {
  name: NAME,
  canAllocate(_copy, node, allocation) {
    const draining = going(node, allocation);
    if (!draining) return stays(allocation);
    const what = draining.type === 'REMOVE' ? 'preparing to be removed from the cluster' : 'preparing to restart';
    return allocation.decide(NAME, 'NO', () => `node [${node.info.id}] is ${what}`);
  },
  canRemain(_copy, node, allocation) {
    const draining = going(node, allocation);
    if (!draining) return stays(allocation);
    if (draining.type === 'REMOVE') return allocation.decide(NAME, 'NO', () => `node [${node.info.id}] is preparing to be removed from the cluster`);
    return allocation.decide(NAME, 'YES', () => `node [${node.info.id}] is preparing to restart, but will remain in the cluster`);
  },
};
