import { errors } from '@shoal/errors';
import { matchesWildcard } from '../names/wildcards.js';
import { isPlainObject } from '@shoal/json';
import { noSuchIndex } from '../resolve/resolve-indices.js';
import type { ClusterState, NodeInfo, ShardRouting } from '../state.js';
import { nameIndex, withRouting } from '../state-edit.js';
import { defineTask, type TaskContext, type TaskResult } from './task.js';

export interface RerouteBody {
  readonly commands?: readonly unknown[];
  readonly dryRun?: boolean;
  readonly explain?: boolean;
  readonly retryFailed?: boolean;
}

interface Explanation {
  readonly command: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly decisions: readonly { readonly decider: string; readonly decision: 'YES' | 'NO'; readonly explanation: string }[];
}

type Outcome = { readonly state: ClusterState; readonly explanation: Explanation };

const COMMANDS = ['move', 'cancel', 'allocate_replica', 'allocate_stale_primary', 'allocate_empty_primary'];

function resolveNode(state: ClusterState, spec: unknown): NodeInfo {
  const text = String(spec);
  const node = [...state.nodes.values()].find((candidate) => candidate.id === text || matchesWildcard(text, candidate.name) || candidate.ip === text);
  if (!node) throw errors.illegalArgument(`failed to resolve [${text}], no matching nodes`);
  return node;
}

function no(command: string, parameters: Record<string, unknown>, why: string, explain: boolean): Explanation {
  if (!explain) throw errors.illegalArgument(`[${command === 'move' ? 'move_allocation' : `${command}_allocation`}] ${why}`);
  return { command, parameters, decisions: [{ decider: `${command}_allocation_command`, decision: 'NO', explanation: why }] };
}

interface FoundCopies {
  readonly uuid: string;
  readonly shard: number;
  readonly copies: readonly ShardRouting[];
}

function findCopies(state: ClusterState, parameters: Record<string, unknown>): FoundCopies | null {
  const meta = nameIndex(state).get(String(parameters['index']));
  const shard = Number(parameters['shard']);
  const copies = meta && state.routing.get(meta.uuid)?.[shard];
  return copies ? { uuid: meta.uuid, shard, copies } : null;
}

function copiesOf(state: ClusterState, parameters: Record<string, unknown>): FoundCopies {
  const meta = nameIndex(state).get(String(parameters['index']));
  if (!meta) throw noSuchIndex(String(parameters['index']));
  const found = findCopies(state, parameters);
  if (!found) throw errors.shardNotFound('no such shard', { meta: { index_uuid: meta.uuid, shard: String(parameters['shard']), index: meta.name } });
  return found;
}

/** As Elasticsearch prints a node in messages. */
function describeNode(node: NodeInfo): string {
  const attributes = Object.entries(node.attributes).map(([name, value]) => `${name}=${value}`).join(', ');
  return `{${node.name}}{${node.id}}{${node.ephemeralId}}{${node.name}}{${node.host}}{${node.transportAddress}}{8.12.0}${attributes === '' ? '' : `{${attributes}}`}`;
}

function describe(parameters: Record<string, unknown>): string {
  return `[${String(parameters['index'])}][${String(parameters['shard'])}]`;
}

function cancel(state: ClusterState, parameters: Record<string, unknown>, explain: boolean, nowMs: number): Outcome {
  const node = resolveNode(state, parameters['node']);
  const found = findCopies(state, parameters);
  const copies = found?.copies ?? [];
  const shown = { ...parameters, node: parameters['node'], allow_primary: parameters['allow_primary'] === true };
  const copy = copies.find((candidate) => candidate.nodeId === node.id);
  if (!copy || !found) return { state, explanation: no('cancel', shown, `can't cancel ${String(parameters['shard'])}, failed to find it on node ${describeNode(node)}`, explain) };
  if (copy.primary && parameters['allow_primary'] !== true) {
    return { state, explanation: no('cancel', shown, `can't cancel ${String(parameters['shard'])} on node ${describeNode(node)}, shard is primary and ${copy.state.toLowerCase()}`, explain) };
  }
  const unassigned: ShardRouting = {
    ...copy,
    state: 'UNASSIGNED',
    nodeId: null,
    allocationId: null,
    recoverySource: copy.primary ? 'EXISTING_STORE' : 'PEER',
    unassigned: { reason: 'REROUTE_CANCELLED', atMs: nowMs, details: null, failedAttempts: 0 },
  };
  const { uuid, shard } = found;
  const table = state.routing.get(uuid)!.with(shard, copies.map((candidate) => (candidate === copy ? unassigned : candidate)));
  return { state: withRouting(state, uuid, table), explanation: { command: 'cancel', parameters: shown, decisions: [{ decider: 'cancel_allocation_command', decision: 'YES', explanation: 'shard is cancelled' }] } };
}

/** Moves and manual allocations need a second node that may hold the copy. */
function placeManually(state: ClusterState, command: string, parameters: Record<string, unknown>, explain: boolean): Outcome {
  if (command === 'move') resolveNode(state, parameters['from_node']);
  const node = resolveNode(state, parameters[command === 'move' ? 'to_node' : 'node']);
  const { copies } = copiesOf(state, parameters);
  const holder = copies.find((copy) => copy.nodeId === node.id);
  const why = holder
    ? `a copy of this shard is already allocated to this node [${describe(parameters)}, node[${node.id}], [${holder.primary ? 'P' : 'R'}], s[${holder.state}], a[id=${holder.allocationId}], failed_attempts[0]]`
    : `all copies of ${describe(parameters)} are already assigned. Use the move allocation command instead`;
  return { state, explanation: no(command, parameters, why, explain) };
}

function run(state: ClusterState, command: unknown, explain: boolean, nowMs: number): Outcome {
  const [name = '', parameters] = (isPlainObject(command) ? Object.entries(command)[0] : undefined) ?? [];
  if (!COMMANDS.includes(name)) throw errors.namedObjectNotFound(`unknown field [${name}]`);
  const values = isPlainObject(parameters) ? parameters : {};
  return name === 'cancel' ? cancel(state, values, explain, nowMs) : placeManually(state, name, values, explain);
}

/** Forgets failed attempts, so that allocation tries again. */
function resetFailures(state: ClusterState): ClusterState {
  const routing = new Map([...state.routing].map(([uuid, table]) => [
    uuid,
    table.map((copies) => copies.map((copy): ShardRouting => (copy.unassigned && copy.unassigned.failedAttempts > 0 ? { ...copy, unassigned: { ...copy.unassigned, failedAttempts: 0 } } : copy))),
  ]));
  return { ...state, routing };
}

function apply(state: ClusterState, body: RerouteBody, context: TaskContext): TaskResult {
  let next = body.retryFailed ? resetFailures(state) : state;
  const explanations: Explanation[] = [];
  for (const command of body.commands ?? []) {
    const outcome = run(next, command, body.explain === true, context.nowMs);
    next = outcome.state;
    explanations.push(outcome.explanation);
  }
  const answer = { acknowledged: true, ...(body.explain ? { explanations } : {}) };
  return body.dryRun ? { state, answer } : { state: next, answer, reroute: 'all' };
}

export const reroute = defineTask<RerouteBody>({ name: 'reroute', priority: 'IMMEDIATE', source: () => 'cluster_reroute (api)', apply });
