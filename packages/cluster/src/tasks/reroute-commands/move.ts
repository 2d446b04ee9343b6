import { Allocation } from '../../allocation/allocation.js';
import { allocateDecisions } from '../../allocation/decide.js';
import { strictest } from '../../allocation/decision.js';
import { moveCopy } from '../../allocation/move-copy.js';
import { describeNode, nameIndex } from '@shoal/state';
import {
  accept,
  type CommandContext,
  type CommandOutcome,
  listDecisions,
  parametersOf,
  refuse,
  type RerouteCommand,
  resolveNode,
} from './command.js';

const PREFIX = 'move_allocation';
const DECIDER = 'move_allocation_command';

type Move = Extract<RerouteCommand, { kind: 'move' }>;

/** Moves a started copy to a node that the deciders allow. Limits of concurrency do not apply. */
export function move(context: CommandContext, command: Move): CommandOutcome {
  const { state, explain } = context;
  const from = resolveNode(state, command.from);
  const to = resolveNode(state, command.to);
  const uuid = nameIndex(state).get(command.index)?.uuid ?? '';
  const copy = state.routing.get(uuid)?.[command.shard]?.find((candidate) => candidate.nodeId === from.id);
  if (!copy)
    return refuse(
      context,
      command,
      PREFIX,
      DECIDER,
      explain
        ? `shard ${command.shard} not found`
        : `can't move ${command.shard}, failed to find it on node ${describeNode(from)}`,
    );
  if (copy.state !== 'STARTED')
    return refuse(
      context,
      command,
      PREFIX,
      DECIDER,
      `can't move ${command.shard}, shard is not started (state = ${copy.state}]`,
    );
  const allocation = new Allocation(state, context.task, { explains: true, ignoresDisable: true });
  const target = allocation.nodes.get(to.id);
  if (!target)
    return refuse(
      context,
      command,
      PREFIX,
      DECIDER,
      `can't move [${command.shard}] from ${describeNode(from)} to ${describeNode(to)}: target node is not a data ` +
        'node.',
    );
  const decisions = allocateDecisions(allocation, copy, target);
  if (strictest(decisions) !== 'NO') {
    moveCopy(allocation, copy, to.id);
    return accept(allocation.finish(), command, decisions);
  }
  if (explain) return { state, explanation: { command: 'move', parameters: parametersOf(command), decisions } };
  return refuse(
    context,
    command,
    PREFIX,
    DECIDER,
    `can't move ${command.shard}, from ${describeNode(from)}, to ${describeNode(to)}, since its not allowed, ` +
      `reason: ${listDecisions(decisions)}`,
  );
}
