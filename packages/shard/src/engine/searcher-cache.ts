import type { SearcherCache } from '@shoal/query';
import { BudgetedLru } from './budgeted-lru.js';
import type { CacheBudget } from './cache-budget.js';

const ENTRY_OVERHEAD_BYTES = 150;

/**
 * Values that the searches of a shard keep, within bytes shared with other shards. Keys name the segments (and their
 * versions) that a value was made from, so that a value outlives refreshes and never its segments' content.
 */
export interface BoundedCache extends SearcherCache {
  /** The values, with their counts; the value asked for last always stays. */
  readonly values: BudgetedLru<unknown>;
}

/** A cache within the budget. */
export function createBoundedCache(budget: CacheBudget): BoundedCache {
  const values = new BudgetedLru<unknown>(budget);
  return {
    values,
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
