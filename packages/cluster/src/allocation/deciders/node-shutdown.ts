import { ownProperty, section, type ClusterState } from '@shoal/state';
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

/**
 * What an operator said about a node, whichever process of it runs; entry of the section `shutdowns`, by node id. Stays
 * until it is taken back.
 */
export interface NodeShutdown {
  /** REPLACE: as REMOVE, and its copies go to the node `targetName` only. */
  readonly type: 'RESTART' | 'REMOVE' | 'REPLACE';
  readonly reason: string;
  readonly startedAtMs: number;
  /** How long its copies wait for a node that restarts. */
  readonly delayMs: number | null;
  readonly targetName: string | null;
}

/** By node id. */
export function nodeShutdowns(state: ClusterState): Readonly<Record<string, NodeShutdown>> {
  return section(state, 'shutdowns') as Record<string, NodeShutdown>;
}

export function shutdownOf(state: ClusterState, nodeId: string): NodeShutdown | null {
  return ownProperty(nodeShutdowns(state), nodeId) ?? null;
}

/** Whether any node is known to go. */
export function isAnyGoing(state: ClusterState): boolean {
  return ['draining', 'shutdowns'].some((name) => Object.keys(section(state, name)).length > 0);
}

/**
 * How a node will go, by its own word or an operator's, or null; said by an earlier process of the node it does not
 * count.
 */
export function drainingNode(state: ClusterState, nodeId: string): Pick<NodeShutdown, 'type'> | null {
  const found = section(state, 'draining')[nodeId] as Draining | undefined;
  const node = state.nodes.get(nodeId);
  return found && (!node || node.ephemeralId === found.ephemeralId) ? found : shutdownOf(state, nodeId);
}

function going(node: AllocationNode, allocation: Allocation): Pick<NodeShutdown, 'type'> | null {
  const { customs } = allocation.state;
  return customs.has('draining') || customs.has('shutdowns') ? drainingNode(allocation.state, node.info.id) : null;
}

function stays(allocation: Allocation): Decision {
  const none = !isAnyGoing(allocation.state);
  return allocation.decide(NAME, 'YES', () => (none ? 'no nodes are shutting down' : 'this node is not shutting down'));
}

/** Nodes that are about to end get nothing new; those that leave for good are emptied. */
export const nodeShutdown: Decider = {
  name: NAME,
  canAllocate(_copy, node, allocation) {
    const draining = going(node, allocation);
    if (!draining) return stays(allocation);
    const what = draining.type !== 'RESTART' ? 'preparing to be removed from the cluster' : 'preparing to restart';
    return allocation.decide(NAME, 'NO', () => `node [${node.info.id}] is ${what}`);
  },
  canRemain(_copy, node, allocation) {
    const draining = going(node, allocation);
    if (!draining) return stays(allocation);
    if (draining.type !== 'RESTART')
      return allocation.decide(NAME, 'NO', () => `node [${node.info.id}] is preparing to be removed from the cluster`);
    return allocation.decide(
      NAME,
      'YES',
      () => `node [${node.info.id}] is preparing to restart, but will remain in the cluster`,
    );
  },
};
