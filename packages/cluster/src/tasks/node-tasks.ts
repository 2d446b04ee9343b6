import { withoutKeys, withSection } from '../metadata/edit-state.js';
import { dataNodes } from '../allocation/copies.js';
import { type ClusterState, type NodeInfo, section } from '@shoal/state';
import { drainingNode, type Draining, shutdownOf } from '../allocation/deciders/node-shutdown.js';
import { loseNodes, type NodeLoss } from '../allocation/lost-nodes.js';
import { autoExpand } from '../allocation/replicas.js';
import { beginRecovery, endMetRecovery } from '../metadata/state-recovery.js';
import { ACKNOWLEDGED, defineTask, type TaskContext, type TaskResult } from './task.js';

/** One process of a node. After a restart a node has the same id and a new ephemeral id. */
export interface NodeProcess {
  readonly id: string;
  readonly ephemeralId: string;
}

/** Body of `nodeJoin`. */
export interface NodeJoinBody {
  readonly nodes: readonly NodeInfo[];
}

/** Body of `nodeLeft`. */
export interface NodeLeftBody {
  readonly nodes: readonly NodeProcess[];
  /** Reason, for logs and `pending_tasks`. */
  readonly reason: string;
}

/** Body of `elected`. */
export interface ElectedBody extends NodeJoinBody {
  /** Id of the new master; absent: unchanged. */
  readonly masterNodeId?: string;
  /** Processes of the last state that are known to have ended. */
  readonly left?: readonly NodeProcess[];
}

function sameProcess(node: NodeInfo | undefined, process: NodeProcess): boolean {
  return node !== undefined && node.ephemeralId === process.ephemeralId;
}

/** Default milliseconds that copies wait for a node that an operator restarts. */
const RESTART_DELAY_MS = 300_000;

function lossOf(state: ClusterState, nodeId: string): NodeLoss {
  const details = `node_left [${nodeId}]`;
  if (drainingNode(state, nodeId)?.type !== 'RESTART') return { reason: 'NODE_LEFT', details };
  const shutdown = shutdownOf(state, nodeId);
  return { reason: 'NODE_RESTARTING', details, ...(shutdown ? { delayMs: shutdown.delayMs ?? RESTART_DELAY_MS } : {}) };
}

/** Returns the nodes of a state that a joining node replaces: an earlier process of it, or a node at its address. */
function replacedBy(state: ClusterState, node: NodeInfo): NodeInfo[] {
  return [...state.nodes.values()].filter(
    (known) =>
      known.ephemeralId !== node.ephemeralId &&
      (known.id === node.id || known.transportAddress === node.transportAddress),
  );
}

/** Removes the announcements (section `draining`) of processes that have ended. */
function withoutDraining(state: ClusterState, ids: ReadonlySet<string>): ClusterState {
  const draining = section(state, 'draining');
  return [...ids].some((id) => Object.hasOwn(draining, id))
    ? withSection(state, 'draining', withoutKeys(draining, ids))
    : state;
}

function removeNodes(
  state: ClusterState,
  gone: readonly NodeInfo[],
  context: TaskContext,
  loss?: NodeLoss,
): ClusterState {
  if (gone.length === 0) return state;
  const ids = new Set(gone.map((node) => node.id));
  const losses = new Map([...ids].map((id) => [id, loss ?? lossOf(state, id)]));
  const lost = loseNodes(state, losses, context);
  const nodes = new Map([...lost.nodes].filter(([id]) => !ids.has(id)));
  return withoutDraining({ ...lost, nodes }, ids);
}

function addNodes(state: ClusterState, joining: readonly NodeInfo[]): ClusterState {
  const added = joining.filter((node) => JSON.stringify(state.nodes.get(node.id)) !== JSON.stringify(node));
  if (added.length === 0) return state;
  const nodes = new Map(state.nodes);
  for (const node of added) nodes.set(node.id, node);
  return { ...state, nodes };
}

function join(state: ClusterState, joining: readonly NodeInfo[], context: TaskContext, loss?: NodeLoss): ClusterState {
  const replaced = joining.flatMap((node) => replacedBy(state, node));
  return autoExpand(addNodes(removeNodes(state, replaced, context, loss), joining), context.nowMs);
}

const names = (nodes: readonly { readonly id: string; readonly name?: string }[]): string =>
  nodes.map((node) => node.name ?? node.id).join(', ');

/** Adds nodes to the state, replacing earlier processes of them. */
export const nodeJoin = defineTask<NodeJoinBody>({
  name: 'node-join',
  priority: 'URGENT',
  source: ({ nodes }) => `node-join[${names(nodes)}]`,
  apply: (state, { nodes }, context): TaskResult => ({
    state: endMetRecovery(join(state, nodes, context), context.nodeSettings),
    answer: ACKNOWLEDGED,
    reroute: 'all',
  }),
});

function left(state: ClusterState, { nodes }: NodeLeftBody, context: TaskContext): TaskResult {
  const gone = nodes.flatMap((process) =>
    sameProcess(state.nodes.get(process.id), process) ? [state.nodes.get(process.id)!] : [],
  );
  if (gone.length === 0) return { state, answer: ACKNOWLEDGED };
  return {
    state: autoExpand(removeNodes(state, gone, context), context.nowMs),
    answer: ACKNOWLEDGED,
    reroute: 'primaries',
  };
}

/**
 * Removes nodes that left. Its publication only promotes replicas and assigns primaries, to be fast. The caller
 * requests the rest with a `reroute` task.
 */
export const nodeLeft = defineTask<NodeLeftBody>({
  name: 'node-left',
  priority: 'IMMEDIATE',
  source: ({ nodes, reason }) => `node-left[${names(nodes)} reason: ${reason}]`,
  apply: left,
});

/**
 * Whether all data nodes of the state have ended or restarted since: a full restart, after which copies wait for no
 * node.
 */
function isFullRestart(state: ClusterState, { nodes, left: dead = [] }: ElectedBody): boolean {
  const gone = new Set([
    ...nodes.flatMap((node) => replacedBy(state, node)).map((node) => node.id),
    ...dead.map((process) => process.id),
  ]);
  const known = dataNodes(state);
  return known.length > 0 && known.every((node) => gone.has(node.id));
}

function elect(state: ClusterState, body: ElectedBody, context: TaskContext): TaskResult {
  const isRestart = isFullRestart(state, body);
  const loss: NodeLoss | undefined = isRestart ? { reason: 'CLUSTER_RECOVERED', details: null } : undefined;
  const gone = (body.left ?? []).flatMap((process) =>
    sameProcess(state.nodes.get(process.id), process) ? [state.nodes.get(process.id)!] : [],
  );
  const joined = join(removeNodes(state, gone, context, loss), body.nodes, context, loss);
  const masterNodeId = body.masterNodeId ?? joined.masterNodeId;
  const led = masterNodeId === joined.masterNodeId ? joined : { ...joined, masterNodeId };
  const next =
    isRestart || state.version === 0
      ? beginRecovery(led, context.nodeSettings)
      : endMetRecovery(led, context.nodeSettings);
  return { state: next, answer: ACKNOWLEDGED, reroute: 'primaries' };
}

/** The first task of a new master: adds the nodes that elected it and removes those that ended. */
export const elected = defineTask<ElectedBody>({
  name: 'elected',
  priority: 'IMMEDIATE',
  source: ({ nodes }) => `elected-as-master ([${nodes.length}] nodes joined)[${names(nodes)}]`,
  apply: elect,
});

/** Body of `nodeDraining`. */
export interface NodeDrainingBody extends NodeProcess {
  /** How the node shuts down, by default RESTART. Null withdraws the announcement. */
  readonly type?: Draining['type'] | null;
}

function drain(
  state: ClusterState,
  { id, ephemeralId, type = 'RESTART' }: NodeDrainingBody,
  context: TaskContext,
): TaskResult {
  if (!sameProcess(state.nodes.get(id), { id, ephemeralId })) return { state, answer: ACKNOWLEDGED };
  if (type === null) return { state: withoutDraining(state, new Set([id])), answer: ACKNOWLEDGED, reroute: 'all' };
  const draining: Draining = { ephemeralId, type, startedAtMs: context.nowMs };
  return {
    state: withSection(state, 'draining', { ...section(state, 'draining'), [id]: draining }),
    answer: ACKNOWLEDGED,
    reroute: 'all',
  };
}

/** Records that a node will end: it gets no new copies, and its copies count as restarting after it has left. */
export const nodeDraining = defineTask<NodeDrainingBody>({
  name: 'node-draining',
  priority: 'URGENT',
  source: ({ id }) => `node-draining[${id}]`,
  apply: drain,
});
