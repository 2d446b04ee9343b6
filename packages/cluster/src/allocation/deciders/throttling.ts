import type { ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from '../allocation.js';
import type { Decision } from '../decision.js';
import { CHEAP_RECOVERIES_MAX, isCheapRecovery } from '../recovery-cost.js';
import type { Decider } from './decider.js';

const NAME = 'throttling';
const PREFIX = 'cluster.routing.allocation.';
const BOTH = `${PREFIX}node_concurrent_recoveries`;

function reached(kind: string, count: number, setting: string, limit: number, where = ''): string {
  return (
    `reached the limit of ${kind} shard recoveries [${count}]${where}, cluster setting ` +
    `[${PREFIX}${setting}=${limit}] (can also be set via [${BOTH}])`
  );
}

function initialPrimary(copy: ShardRouting, node: AllocationNode, allocation: Allocation): Decision {
  const limit = allocation.settings.initialPrimaries;
  const isFull = isCheapRecovery(allocation.context, copy, node.info.id)
    ? node.cheap >= CHEAP_RECOVERIES_MAX
    : node.initialPrimaries >= limit;
  if (!isFull) return allocation.decide(NAME, 'YES', () => `below primary recovery limit of [${limit}]`);
  return allocation.decide(NAME, 'THROTTLE', () => {
    const setting = `${PREFIX}node_initial_primaries_recoveries`;
    return (
      `reached the limit of ongoing initial primary recoveries [${Math.max(node.initialPrimaries, limit)}], ` +
      `cluster setting [${setting}=${limit}]`
    );
  });
}

/** Returns the node that data is copied from: the node of the primary, or for a relocating primary its present node. */
function sourceNode(copy: ShardRouting, allocation: Allocation): AllocationNode | undefined {
  const id = copy.primary ? copy.nodeId : allocation.primary(copy)?.nodeId;
  return allocation.nodes.get(id ?? '');
}

function copying(copy: ShardRouting, node: AllocationNode, allocation: Allocation): Decision {
  const { incomingRecoveries, outgoingRecoveries } = allocation.settings;
  const source = sourceNode(copy, allocation);
  const outgoing = source?.outgoing ?? 0;
  if (node.incoming >= incomingRecoveries) {
    return allocation.decide(NAME, 'THROTTLE', () =>
      reached('incoming', node.incoming, 'node_concurrent_incoming_recoveries', incomingRecoveries),
    );
  }
  if (outgoing >= outgoingRecoveries) {
    const where = ` on the node [${source?.info.id}] which holds the primary`;
    return allocation.decide(NAME, 'THROTTLE', () =>
      reached('outgoing', outgoing, 'node_concurrent_outgoing_recoveries', outgoingRecoveries, where),
    );
  }
  return allocation.decide(
    NAME,
    'YES',
    () =>
      `below shard recovery limit of outgoing: [${outgoing} < ${outgoingRecoveries}] incoming: [${node.incoming} < ` +
      `${incomingRecoveries}]`,
  );
}

function cheapReplica(node: AllocationNode, allocation: Allocation): Decision {
  const { incomingRecoveries, outgoingRecoveries } = allocation.settings;
  if (node.cheap >= CHEAP_RECOVERIES_MAX) {
    return allocation.decide(NAME, 'THROTTLE', () =>
      reached('incoming', node.cheap, 'node_concurrent_incoming_recoveries', incomingRecoveries),
    );
  }
  return allocation.decide(
    NAME,
    'YES',
    () =>
      `below shard recovery limit of outgoing: [0 < ${outgoingRecoveries}] incoming: [${node.incoming} < ` +
      `${incomingRecoveries}]`,
  );
}

/**
 * Whether other copies recover from this primary. Then it must not move, as its target would start their recoveries
 * again. Example without this rule: awareness forbids n0 (zone a, primary) beside n3 (zone a, replica). The replica
 * starts to move from n3 to n5, the primary from n0 to n1. The primary arrives, and the recovery of the replica starts
 * again. Now balance moves the primary back to n0, and so on without end.
 */
function isRecoverySource(copy: ShardRouting, allocation: Allocation): boolean {
  return (
    copy.primary &&
    copy.state === 'STARTED' &&
    allocation.copies(copy.indexUuid, copy.shard).some((other) => other.state === 'INITIALIZING')
  );
}

/** Limits concurrent recoveries that copy data to and from a node. Cheap recoveries have a limit of their own. */
export const throttling: Decider = {
  name: NAME,
  canAllocate(copy, node, allocation) {
    if (copy.primary && copy.nodeId === null) return initialPrimary(copy, node, allocation);
    if (isRecoverySource(copy, allocation))
      return allocation.decide(NAME, 'THROTTLE', () => 'other copies of this shard are recovering from this primary');
    return isCheapRecovery(allocation.context, copy, node.info.id)
      ? cheapReplica(node, allocation)
      : copying(copy, node, allocation);
  },
};
