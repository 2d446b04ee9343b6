import type { Decider } from './decider.js';

const NAME = 'cluster_rebalance';
const SETTING = 'cluster.routing.allocation.allow_rebalance';

/** Forbids moves for balance until all copies, or all primaries, are active, as `allow_rebalance` says. */
export const clusterRebalance: Decider = {
  name: NAME,
  canRebalance(_copy, allocation) {
    const { allowRebalance } = allocation.settings;
    const no = (what: string) =>
      allocation.decide(
        NAME,
        'NO',
        () => `the cluster has ${what} and cluster setting [${SETTING}] is set to [${allowRebalance}]`,
      );
    if (allowRebalance === 'indices_primaries_active') {
      if (allocation.unassignedPrimaries > 0) return no('unassigned primary shards');
      if (allocation.inactivePrimaries > 0) return no('inactive primary shards');
      return allocation.decide(NAME, 'YES', () => 'all primary shards are active');
    }
    if (allowRebalance === 'always') return allocation.decide(NAME, 'YES', () => 'all shards are active');
    if (allocation.unassigned > 0) return no('unassigned shards');
    if (allocation.inactive > 0) return no('inactive shards');
    return allocation.decide(NAME, 'YES', () => 'all shards are active');
  },
};
