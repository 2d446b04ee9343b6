import { describeCopy } from '../describe-copy.js';
import type { Decider } from './decider.js';

const NAME = 'same_shard';
const SAME_HOST = 'cluster.routing.allocation.same_shard.host';

/** Keeps two copies of a shard off the same node, and with `same_shard.host` off the same host. */
export const sameShard: Decider = {
  name: NAME,
  isFirm: true,
  canAllocate(copy, node, allocation) {
    const copies = allocation.copies(copy.indexUuid, copy.shard);
    for (const other of copies) {
      if (other.nodeId !== node.info.id) continue;
      return allocation.decide(NAME, 'NO', () => {
        const whose = other === copy ? 'this shard' : 'a copy of this shard';
        return (
          `${whose} is already allocated to this node ` +
          `[${describeCopy(allocation.meta(copy.indexUuid)?.name ?? '', other)}]`
        );
      });
    }
    if (!allocation.settings.sameShardHost)
      return allocation.decide(NAME, 'YES', () => 'this node does not hold a copy of this shard');
    const neighbour = copies.find(
      (other) =>
        other !== copy && other.nodeId !== null && allocation.state.nodes.get(other.nodeId)?.host === node.info.host,
    );
    if (!neighbour)
      return allocation.decide(NAME, 'YES', () => 'none of the nodes on this host hold a copy of this shard');
    return allocation.decide(
      NAME,
      'NO',
      () =>
        `cannot allocate to node [${node.info.id}] because a copy of this shard is already allocated to node ` +
        `[${neighbour.nodeId}] with the same host name [${node.info.host}] and [${SAME_HOST}] is [true] which ` +
        'forbids more than one node on each host from holding a copy of this shard',
    );
  },
};
