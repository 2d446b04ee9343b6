import { isActive, isRelocationTarget } from '@shoal/state';
import type { Decider } from './decider.js';

const NAME = 'rebalance_only_when_active';

/** Forbids moves for balance while some copy of the shard is not active. */
export const rebalanceOnlyWhenActive: Decider = {
  name: NAME,
  canRebalance(copy, allocation) {
    const all = allocation.copies(copy.indexUuid, copy.shard);
    if (all.every((other) => isActive(other) || isRelocationTarget(other))) {
      return allocation.decide(NAME, 'YES', () => 'rebalancing is allowed as all copies of this shard are active');
    }
    return allocation.decide(NAME, 'NO', () => 'rebalancing is not allowed until all copies of this shard are active');
  },
};
