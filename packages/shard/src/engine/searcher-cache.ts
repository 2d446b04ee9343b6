import type { SearcherCache } from '@shoal/query';
import type { VectorRowCache } from '@shoal/segments';
import { BudgetedLru } from './budgeted-lru.js';
import type { CacheBudget } from './cache-budget.js';

const ENTRY_OVERHEAD_BYTES = 150;

/**
 * Cache of values that a shard's searches compute, within bytes shared with other shards. Keys name the segments and
 * versions that a value was computed from. So a value outlives refreshes, and is never used for changed segments.
 */
export interface BoundedCache extends SearcherCache {
  /** The values with their counts; the value asked for last is never evicted. */
  readonly values: BudgetedLru<unknown>;
}

/** Returns a cache within the budget, beside the rows of vectors that the thread holds. */
export function createBoundedCache(budget: CacheBudget, vectorRows: VectorRowCache): BoundedCache {
  const values = new BudgetedLru<unknown>(budget);
  return {
    vectorRows,
    values,
    find: <T>(key: string) => values.find(key) as T | undefined,
    get<T>(key: string, make: () => { readonly value: T; readonly bytes: number }): T {
      const found = values.find(key);
      if (found !== undefined) return found as T;
      values.misses++;
      const { value, bytes } = make();
      values.add(key, value, bytes + key.length * 2 + ENTRY_OVERHEAD_BYTES);
      return value;
    },
  };
}
