import { indexSetting, type ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from '../allocation.js';
import type { Decision } from '../decision.js';
import type { Decider } from './decider.js';

const NAME = 'shards_limit';
const INDEX = 'index.routing.allocation.total_shards_per_node';
const CLUSTER = 'cluster.routing.allocation.total_shards_per_node';

/** Checks the limits. `spare`: 1 if the copy is not on the node yet, 0 if it is counted already. */
function within(copy: ShardRouting, node: AllocationNode, allocation: Allocation, spare: number): Decision {
  const indexLimit = Number(indexSetting(allocation.meta(copy.indexUuid)?.settings ?? {}, INDEX));
  const clusterLimit = allocation.settings.totalShardsPerNode;
  if (indexLimit <= 0 && clusterLimit <= 0) {
    return allocation.decide(
      NAME,
      'YES',
      () => `total shard limits are disabled: [index: ${indexLimit}, cluster: ${clusterLimit}] <= 0`,
    );
  }
  if (clusterLimit > 0 && node.shards + spare > clusterLimit) {
    return allocation.decide(
      NAME,
      'NO',
      () => `too many shards [${node.shards}] allocated to this node, cluster setting [${CLUSTER}=${clusterLimit}]`,
    );
  }
  const count = allocation.indexCount(copy.indexUuid, node.info.id);
  if (indexLimit > 0 && count + spare > indexLimit) {
    const name = allocation.meta(copy.indexUuid)?.name;
    return allocation.decide(
      NAME,
      'NO',
      () =>
        `too many shards [${count}] allocated to this node for index [${name}], index setting [${INDEX}=${indexLimit}]`,
    );
  }
  return allocation.decide(
    NAME,
    'YES',
    () =>
      `the shard count [${count}] for this node is under the index limit [${indexLimit}] and cluster level node ` +
      `limit [${clusterLimit}]`,
  );
}

/** Applies `total_shards_per_node` of the index and of the cluster. */
export const shardsLimit: Decider = {
  name: NAME,
  canAllocate: (copy, node, allocation) => within(copy, node, allocation, 1),
  canRemain: (copy, node, allocation) => within(copy, node, allocation, 0),
};
