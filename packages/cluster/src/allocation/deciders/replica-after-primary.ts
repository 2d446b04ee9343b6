import { isActive } from '@shoal/state';
import type { Decider } from './decider.js';

const NAME = 'replica_after_primary_active';

/** Forbids a replica until its primary, which it copies from, is active. */
export const replicaAfterPrimary: Decider = {
  name: NAME,
  isFirm: true,
  canAllocate(copy, _node, allocation) {
    if (copy.primary) return allocation.decide(NAME, 'YES', () => 'shard is primary and can be allocated');
    const primary = allocation.primary(copy);
    if (primary && isActive(primary))
      return allocation.decide(NAME, 'YES', () => 'primary shard for this replica is already active');
    return allocation.decide(NAME, 'NO', () => 'primary shard for this replica is not yet active');
  },
};
