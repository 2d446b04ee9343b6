import { tableSummary } from '../allocation/table-summary.js';
import { type ClusterState, type ShardRouting, diffState } from '@shoal/state';
import { reroute as place } from '../allocation/reroute.js';
import { allocatePrimary } from './reroute-commands/allocate-primary.js';
import { allocateReplica } from './reroute-commands/allocate-replica.js';
import { cancel } from './reroute-commands/cancel.js';
import type { CommandContext, CommandExplanation, CommandOutcome, RerouteCommand } from './reroute-commands/command.js';
import { move } from './reroute-commands/move.js';
import { parseRerouteCommand } from './reroute-commands/parse-command.js';
import { defineTask, type TaskContext, type TaskResult } from './task.js';

/** Body of a reroute. An empty body assigns what can be assigned now. */
export interface RerouteBody {
  /** Commands as in the body of `_cluster/reroute`. */
  readonly commands?: readonly unknown[];
  /** Whether the state stays unchanged. The answer then has the difference that the reroute would make. */
  readonly dryRun?: boolean;
  readonly explain?: boolean;
  readonly retryFailed?: boolean;
}

function run(context: CommandContext, command: RerouteCommand): CommandOutcome {
  switch (command.kind) {
    case 'move':
      return move(context, command);
    case 'cancel':
      return cancel(context, command);
    case 'allocate_replica':
      return allocateReplica(context, command);
    default:
      return allocatePrimary(context, command);
  }
}

function forgiven(copy: ShardRouting): ShardRouting {
  if (copy.relocationFailures !== undefined) {
    const { relocationFailures: _failures, ...rest } = copy;
    return rest;
  }
  if (!copy.unassigned || copy.unassigned.failedAttempts === 0) return copy;
  const { retryAtMs: _retry, failedNodeIds: _nodes, ...info } = copy.unassigned;
  return { ...copy, unassigned: { ...info, failedAttempts: 0 } };
}

/** Resets the counts of failed attempts, so that allocation retries them. */
function resetFailures(state: ClusterState): ClusterState {
  const failed = [...state.routing].filter(([, table]) => tableSummary(table).failures > 0);
  if (failed.length === 0) return state;
  const routing = new Map(state.routing);
  for (const [uuid, table] of failed)
    routing.set(
      uuid,
      table.map((copies) => (copies.some((copy) => forgiven(copy) !== copy) ? copies.map(forgiven) : copies)),
    );
  return { ...state, routing };
}

function apply(state: ClusterState, body: RerouteBody, context: TaskContext): TaskResult {
  const explain = body.explain === true;
  const explanations: CommandExplanation[] = [];
  let next = body.retryFailed ? resetFailures(state) : state;
  for (const command of (body.commands ?? []).map(parseRerouteCommand)) {
    const outcome = run({ state: next, task: context, explain }, command);
    next = outcome.state;
    explanations.push(outcome.explanation);
  }
  const answer = { acknowledged: true, ...(explain ? { explanations } : {}) };
  if (!body.dryRun) return { state: next, answer, reroute: 'all' };
  return { state, answer: { ...answer, diff: diffState(state, place(next, context)) } };
}

/** Runs commands of `_cluster/reroute`, then assigns, moves and balances copies. */
export const reroute = defineTask<RerouteBody>({
  name: 'reroute',
  priority: 'HIGH',
  source: () => 'cluster_reroute (api)',
  apply,
});
