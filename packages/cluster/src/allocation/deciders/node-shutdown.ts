import { ownProperty } from '@shoal/json';
import { section, type ClusterState } from '@shoal/state';
import type { AllocationNode, Allocation } from '../allocation.js';
import type { Decision } from '../decision.js';
import type { Decider } from './decider.js';

const NAME = 'node_shutdown';

/** A node that announced its end. Entry of the section `draining`, by node id. */
export interface Draining {
  readonly ephemeralId: string;
  /** RESTART: the node will return, and its copies wait for it. REMOVE: its copies move away first. */
  readonly type: 'RESTART' | 'REMOVE';
  readonly startedAtMs: number;
}

/**
 * A shutdown that an operator announced for a node, whatever process of the node runs. Entry of the section
 * `shutdowns`, by node id; stays until the operator deletes it.
 */
export interface NodeShutdown {
  /** REPLACE: as REMOVE, but its copies move to the node `targetName` only. */
  readonly type: 'RESTART' | 'REMOVE' | 'REPLACE';
  readonly reason: string;
  readonly startedAtMs: number;
  /** For RESTART: milliseconds that copies wait for the return of the node; null for the default. */
  readonly delayMs: number | null;
  readonly targetName: string | null;
}

/** Announced shutdowns by node id. */
export function nodeShutdowns(state: ClusterState): Readonly<Record<string, NodeShutdown>> {
  return section(state, 'shutdowns') as Record<string, NodeShutdown>;
}

/** Returns the shutdown that an operator announced for a node; null if none. */
export function shutdownOf(state: ClusterState, nodeId: string): NodeShutdown | null {
  return ownProperty(nodeShutdowns(state), nodeId) ?? null;
}

/** Whether any node will shut down. */
export function isAnyGoing(state: ClusterState): boolean {
  return ['draining', 'shutdowns'].some((name) => Object.keys(section(state, name)).length > 0);
}

/**
 * Returns how a node will shut down, as announced by its process or by an operator; null if it will not. An
 * announcement of an earlier process of the node does not count.
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

/** Keeps new copies off nodes that shut down, and moves copies away from those that leave for good. */
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
