import { errors } from '@shoal/errors';
import type { Decision } from '../../allocation/decision.js';
import { matchesWildcard } from '@shoal/values';
import {
  noSuchIndex,
  type ClusterState,
  type IndexMetadata,
  type NodeInfo,
  type ShardRouting,
  nameIndex,
} from '@shoal/state';
import type { TaskContext } from '../task.js';

/** A parsed command of `_cluster/reroute`. */
export type RerouteCommand =
  | {
      readonly kind: 'move';
      readonly index: string;
      readonly shard: number;
      readonly from: string;
      readonly to: string;
    }
  | {
      readonly kind: 'cancel';
      readonly index: string;
      readonly shard: number;
      readonly node: string;
      readonly allowPrimary: boolean;
    }
  | { readonly kind: 'allocate_replica'; readonly index: string; readonly shard: number; readonly node: string }
  | {
      readonly kind: 'allocate_stale_primary' | 'allocate_empty_primary';
      readonly index: string;
      readonly shard: number;
      readonly node: string;
      readonly acceptDataLoss: boolean;
    };

/** Result of a command as `explain` shows it. */
export interface CommandExplanation {
  readonly command: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly decisions: readonly Decision[];
}

/** Result of one command. */
export interface CommandOutcome {
  /** The changed state; the same object if the command was refused. */
  readonly state: ClusterState;
  readonly explanation: CommandExplanation;
}

/** State and options that a command runs with. */
export interface CommandContext {
  readonly state: ClusterState;
  readonly task: TaskContext;
  /** Whether a refusal is part of the answer (`explain`) instead of an error. */
  readonly explain: boolean;
}

/** Renders the parameters of a command for its explanation. */
export function parametersOf(command: RerouteCommand): Record<string, unknown> {
  const { index, shard } = command;
  if (command.kind === 'move') return { index, shard, from_node: command.from, to_node: command.to };
  if (command.kind === 'cancel') return { index, shard, node: command.node, allow_primary: command.allowPrimary };
  if (command.kind === 'allocate_replica') return { index, shard, node: command.node };
  return { index, shard, node: command.node, accept_data_loss: command.acceptDataLoss };
}

/** Returns the node with an id, name or address. Throws illegal_argument_exception if there is none. */
export function resolveNode(state: ClusterState, text: string): NodeInfo {
  const node = [...state.nodes.values()].find(
    (candidate) =>
      candidate.id === text ||
      matchesWildcard(text, candidate.name) ||
      candidate.ip === text ||
      candidate.host === text ||
      candidate.transportAddress === text,
  );
  if (!node) throw errors.illegalArgument(`failed to resolve [${text}], no matching nodes`);
  return node;
}

/** Returns the copies of a shard. Throws if index or shard does not exist. */
export function copiesOf(
  state: ClusterState,
  { index, shard }: RerouteCommand,
): { readonly meta: IndexMetadata; readonly copies: readonly ShardRouting[] } {
  const meta = nameIndex(state).get(index);
  if (!meta) throw noSuchIndex(index);
  const copies = state.routing.get(meta.uuid)?.[shard];
  if (!copies)
    throw errors.shardNotFound('no such shard', { meta: { index_uuid: meta.uuid, shard: String(shard), index } });
  return { meta, copies };
}

/** Refuses a command: throws, or with `explain` returns a NO decision. */
export function refuse(
  context: CommandContext,
  command: RerouteCommand,
  prefix: string,
  decider: string,
  why: string,
): CommandOutcome {
  if (!context.explain) throw errors.illegalArgument(`[${prefix}] ${why}`);
  return {
    state: context.state,
    explanation: {
      command: command.kind,
      parameters: parametersOf(command),
      decisions: [{ decider, decision: 'NO', explanation: why }],
    },
  };
}

/** Makes the result of an accepted command. */
export function accept(state: ClusterState, command: RerouteCommand, decisions: readonly Decision[]): CommandOutcome {
  return { state, explanation: { command: command.kind, parameters: parametersOf(command), decisions } };
}

/** Formats decisions as errors list them. */
export function listDecisions(decisions: readonly Decision[]): string {
  return decisions.map(({ decision, explanation }) => `[${decision}(${explanation})]`).join('');
}
