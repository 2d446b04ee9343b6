import type { Decider } from './decider.js';

const NAME = 'concurrent_rebalance';
const SETTING = 'cluster.routing.allocation.cluster_concurrent_rebalance';

/** Limits how many copies move for balance at a time. */
export const concurrentRebalance: Decider = {
  name: NAME,
  canRebalance(_copy, allocation) {
    const limit = allocation.settings.concurrentRebalance;
    const moving = allocation.relocations;
    if (limit === -1) return allocation.decide(NAME, 'YES', () => 'unlimited concurrent rebalances are allowed');
    if (moving >= limit)
      return allocation.decide(
        NAME,
        'THROTTLE',
        () => `reached the limit of concurrently rebalancing shards [${moving}], cluster setting [${SETTING}=${limit}]`,
      );
    return allocation.decide(
      NAME,
      'YES',
      () => `below threshold [${limit}] for concurrent rebalances, current rebalance shard count [${moving}]`,
    );
  },
};
