import type { ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from '../allocation.js';
import type { Decision } from '../decision.js';
import type { Decider } from './decider.js';
import { nodeShutdowns, shutdownOf } from './node-shutdown.js';

const NAME = 'node_replacement';

/** Returns the name of the node that replaces a node; null if none does. */
function successorOf(allocation: Allocation, nodeId: string | null): string | null {
  return nodeId === null ? null : (shutdownOf(allocation.state, nodeId)?.targetName ?? null);
}

function judge(copy: ShardRouting, node: AllocationNode, allocation: Allocation): Decision {
  const { id, name } = node.info;
  const say = (decision: Decision['decision'], why: string): Decision => allocation.decide(NAME, decision, () => why);
  const successor = successorOf(allocation, copy.nodeId);
  if (successor === name)
    return say('YES', `node [${id}] is replacing node [${copy.nodeId}], and may receive shards from it`);
  if (successor !== null)
    return say(
      'NO',
      `node [${copy.nodeId}] is being replaced, and its shards may only be allocated to the replacement target ` +
        `[${successor}]`,
    );
  const own = successorOf(allocation, id);
  if (own !== null) return say('NO', `node [${id}] is being replaced by [${own}], so no data may be allocated to it`);
  const vacating = Object.entries(nodeShutdowns(allocation.state)).find(([, shutdown]) => shutdown.targetName === name);
  if (vacating === undefined)
    return say('YES', 'neither the source nor target node are part of an ongoing node replacement');
  return say(
    'NO',
    `node [${id}] is replacing the vacating node [${vacating[0]}], only data currently allocated to the source ` +
      'node may be allocated to it until the replacement is complete',
  );
}

/** Gives a node that replaces another one only the copies of that node. */
export const nodeReplacement: Decider = {
  name: NAME,
  canAllocate(copy, node, allocation) {
    if (Object.values(nodeShutdowns(allocation.state)).some(({ type }) => type === 'REPLACE'))
      return judge(copy, node, allocation);
    return allocation.explains ? allocation.decide(NAME, 'YES', () => 'there are no ongoing node replacements') : null;
  },
};
