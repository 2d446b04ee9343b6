import { toApiError } from '@shoal/errors';
import { Allocation } from '../../allocation/allocation.js';
import { primaryOf } from '../../allocation/copies.js';
import { describeNode, type NodeInfo, type ShardRouting } from '@shoal/state';
import { allocateDecisions } from '../../allocation/decide.js';
import { strictest } from '../../allocation/decision.js';
import {
  accept,
  type CommandContext,
  type CommandOutcome,
  copiesOf,
  listDecisions,
  parametersOf,
  refuse,
  type RerouteCommand,
  resolveNode,
} from './command.js';

type AllocateReplica = Extract<RerouteCommand, { kind: 'allocate_replica' }>;

const PREFIX = 'allocate_replica';
const DECIDER = 'allocate_replica (allocation command)';

function place(context: CommandContext, command: AllocateReplica, node: NodeInfo, copy: ShardRouting): CommandOutcome {
  const allocation = new Allocation(context.state, context.task, { explains: true, ignoresDisable: true });
  const target = allocation.nodes.get(node.id);
  if (!target)
    return refuse(
      context,
      command,
      PREFIX,
      DECIDER,
      `allocation can only be done on data nodes, not [${command.node}]`,
    );
  const decisions = allocateDecisions(allocation, copy, target);
  if (strictest(decisions) !== 'NO') {
    allocation.assign(copy, node.id, context.task.newUuid());
    return accept(allocation.finish(), command, decisions);
  }
  if (context.explain)
    return {
      state: context.state,
      explanation: { command: command.kind, parameters: parametersOf(command), decisions },
    };
  return refuse(
    context,
    command,
    PREFIX,
    DECIDER,
    `allocation of [${command.index}][${command.shard}] on node ${describeNode(node)} is not allowed, reason: ` +
      `${listDecisions(decisions)}`,
  );
}

function run(context: CommandContext, command: AllocateReplica): CommandOutcome {
  const node = resolveNode(context.state, command.node);
  const { copies } = copiesOf(context.state, command);
  const name = `[${command.index}][${command.shard}]`;
  if (primaryOf(copies)?.state === 'UNASSIGNED') {
    return refuse(
      context,
      command,
      PREFIX,
      DECIDER,
      `trying to allocate a replica shard ${name}, while corresponding primary shard is still unassigned`,
    );
  }
  const free = copies.find((copy) => copy.state === 'UNASSIGNED');
  if (!free)
    return refuse(
      context,
      command,
      PREFIX,
      DECIDER,
      `all copies of ${name} are already assigned. Use the move allocation command instead`,
    );
  return place(context, command, node, free);
}

/**
 * Assigns an unassigned replica to a node that the deciders allow. With `explain`, unknown indices and nodes are
 * refusals instead of errors.
 */
export function allocateReplica(context: CommandContext, command: AllocateReplica): CommandOutcome {
  try {
    return run(context, command);
  } catch (error) {
    if (!context.explain) throw error;
    return refuse(context, command, PREFIX, DECIDER, toApiError(error).reason ?? '');
  }
}
