import { isPartiallyMounted } from '@shoal/state';
import type { Decider } from './decider.js';

const NAME = 'searchable_snapshots';

const STAYS =
  'a partially mounted shard stays with the files in its cache, and is opened elsewhere only if its node leaves or ' +
  'may not have it';

/** Keeps a copy that reads its files through the cache of its node there: files in that cache do not move. */
export const mounted: Decider = {
  name: NAME,
  canRebalance(copy, allocation) {
    const meta = allocation.meta(copy.indexUuid);
    return meta && isPartiallyMounted(meta) ? allocation.decide(NAME, 'NO', () => STAYS) : null;
  },
};
