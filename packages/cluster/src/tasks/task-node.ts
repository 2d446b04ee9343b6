import type { ClusterState, NodeInfo, PersistentTask } from '@shoal/state';
import { isSameOrNewer } from '../allocation/deciders/node-version.js';
import { drainingNode } from '../allocation/deciders/node-shutdown.js';

type Wanted = Pick<PersistentTask, 'type' | 'role' | 'params'>;

/** Says why a node cannot do a task; null if it can. A transform needs a node that knows the version that made it. */
function objection(state: ClusterState, node: NodeInfo, { type, role, params }: Wanted): string | null {
  if (!node.roles.includes(role)) return type === 'transform' ? 'not a transform node' : `not a node of role ${role}`;
  if (drainingNode(state, node.id) !== null) return 'node is shutting down';
  const { version } = params;
  if (typeof version === 'string' && !isSameOrNewer(node.version, version))
    return `node has version: ${node.version} but ${type} requires at least ${version}`;
  return null;
}

/** Returns the node that can do a task and does the fewest; null if there is none. Ties go to the smaller id. */
export function bestNode(state: ClusterState, task: Wanted, loads: ReadonlyMap<string, number>): string | null {
  const able = [...state.nodes.values()].filter((node) => objection(state, node, task) === null).map(({ id }) => id);
  able.sort((a, b) => (loads.get(a) ?? 0) - (loads.get(b) ?? 0) || (a < b ? -1 : 1));
  return able[0] ?? null;
}

/** Nodes that an explanation names. */
const NAMED_MAX = 10;

/** Explains why no node can do a task: a transform's names the nodes with what is against each, in 8.12's words. */
export function explainNoNode(state: ClusterState, task: Wanted): string {
  if (task.type !== 'transform') return `no node has the role [${task.role}]`;
  const reasons = [...state.nodes.values()].map((node) => `${node.id}:${objection(state, node, task)}`).sort();
  return `Not starting transform [${String(task.params['id'])}], reasons [${reasons.slice(0, NAMED_MAX).join('|')}]`;
}
