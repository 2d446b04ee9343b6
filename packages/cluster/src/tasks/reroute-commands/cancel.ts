import { promotionOrder } from '../../allocation/promotion-order.js';
import { ShardEdits } from '../../allocation/shard-edits.js';
import { failCopy, withoutInSync } from '../../allocation/shard-group.js';
import { describeNode, noSuchIndex, type UnassignedInfo, nameIndex } from '@shoal/state';
import {
  accept,
  type CommandContext,
  type CommandOutcome,
  refuse,
  type RerouteCommand,
  resolveNode,
} from './command.js';

const PREFIX = 'cancel_allocation';
const DECIDER = 'cancel_allocation_command';

type Cancel = Extract<RerouteCommand, { kind: 'cancel' }>;

/**
 * Removes a copy from its node: a recovery starts again, a replica leaves the in-sync set. A primary is only removed
 * with `allow_primary`.
 */
export function cancel(context: CommandContext, command: Cancel): CommandOutcome {
  const { state, task } = context;
  const node = resolveNode(state, command.node);
  const meta = nameIndex(state).get(command.index);
  if (!meta) throw noSuchIndex(command.index);
  const edits = new ShardEdits(state);
  const group = edits.group(meta.uuid, command.shard);
  const copy = group?.copies.find((candidate) => candidate.nodeId === node.id);
  if (!group || !copy)
    return refuse(
      context,
      command,
      PREFIX,
      DECIDER,
      `can't cancel ${command.shard}, failed to find it on node ${describeNode(node)}`,
    );
  if (copy.primary && copy.relocatingNodeId === null && !command.allowPrimary) {
    return refuse(
      context,
      command,
      PREFIX,
      DECIDER,
      `can't cancel ${command.shard} on node ${describeNode(node)}, shard is primary and ${copy.state.toLowerCase()}`,
    );
  }
  if (copy.primary && copy.state === 'RELOCATING' && !command.allowPrimary) {
    return refuse(
      context,
      command,
      PREFIX,
      DECIDER,
      `can't cancel ${command.shard} on node ${describeNode(node)}, shard is primary and relocating`,
    );
  }
  const info: UnassignedInfo = { reason: 'REROUTE_CANCELLED', atMs: task.nowMs, details: null, failedAttempts: 0 };
  const lost = failCopy(group, copy, info, promotionOrder(state, task));
  edits.set(meta.uuid, command.shard, copy.primary ? lost : withoutInSync(lost, copy.allocationId ?? ''));
  return accept(edits.finish(), command, [
    {
      decider: DECIDER,
      decision: 'YES',
      explanation: `shard ${command.shard} on node ${describeNode(node)} can be cancelled`,
    },
  ]);
}
