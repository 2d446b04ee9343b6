import { isPartiallyMounted } from '@shoal/state';
import type { Allocation } from '../allocation.js';
import type { Decider } from './decider.js';

const NAME = 'searchable_snapshots';

const isPartial = (allocation: Allocation, uuid: string): boolean => {
  const meta = allocation.meta(uuid);
  return meta !== undefined && isPartiallyMounted(meta);
};

const STAYS = 'a partially mounted shard stays with the files in its cache, and is opened elsewhere if its node leaves';

/** Keeps a copy that reads its files through the cache of its node there: files in that cache do not move. */
export const mounted: Decider = {
  name: NAME,
  canAllocate: (copy, _node, allocation) =>
    copy.state === 'STARTED' && isPartial(allocation, copy.indexUuid)
      ? allocation.decide(NAME, 'NO', () => STAYS)
      : null,
  canRebalance: (copy, allocation) =>
    isPartial(allocation, copy.indexUuid) ? allocation.decide(NAME, 'NO', () => STAYS) : null,
};
