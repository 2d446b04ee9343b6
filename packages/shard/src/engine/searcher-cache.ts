import type { SearcherCache } from '@shoal/query';
import type { CacheBudget, CacheMember } from './cache-budget.js';

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
  usedAt: number;
}

/**
 * Values that the searches of a shard keep, within bytes shared with other shards; the least recently used go first. Keys name the
 * segments (and their versions) that a value was made from, so that a value outlives refreshes and never its segments' content.
 */
export interface BoundedCache extends SearcherCache {
  clear(): void;
  /** Forgets all and keeps nothing from now on. */
  close(): void;
  readonly bytes: number;
  readonly entryCount: number;
  readonly evictions: number;
  readonly hits: number;
  readonly misses: number;
  /** Bytes of the entries whose key begins with `prefix`. */
  bytesOf(prefix: string): number;
}

const ENTRY_OVERHEAD_BYTES = 150;

class LruCache implements BoundedCache, CacheMember {
  readonly #budget: CacheBudget;
  readonly #entries = new Map<string, Entry>();
  bytes = 0;
  evictions = 0;
  hits = 0;
  misses = 0;

  #isClosed = false;

  constructor(budget: CacheBudget) {
    this.#budget = budget;
    budget.join(this);
  }

  get entryCount(): number {
    return this.#entries.size;
  }

  get<T>(key: string, make: () => { readonly value: T; readonly bytes: number }): T {
    const found = this.#entries.get(key);
    if (found) {
      this.hits++;
      found.usedAt = this.#budget.use();
      this.#entries.delete(key);
      this.#entries.set(key, found);
      return found.value as T;
    }
    this.misses++;
    const { value, bytes } = make();
    if (!this.#isClosed) this.#add(key, { value, bytes: bytes + key.length * 2 + ENTRY_OVERHEAD_BYTES, usedAt: this.#budget.use() });
    return value;
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.bytes += entry.bytes;
    this.#budget.take(entry.bytes, entry.usedAt);
  }

  oldestUse(): number {
    for (const entry of this.#entries.values()) return entry.usedAt;
    return Number.POSITIVE_INFINITY;
  }

  dropOldest(): void {
    for (const [key, { bytes }] of this.#entries) {
      this.#entries.delete(key);
      this.bytes -= bytes;
      this.#budget.giveBack(bytes);
      this.evictions++;
      return;
    }
  }

  bytesOf(prefix: string): number {
    let bytes = 0;
    for (const [key, entry] of this.#entries) if (key.startsWith(prefix)) bytes += entry.bytes;
    return bytes;
  }

  clear(): void {
    this.#entries.clear();
    this.#budget.giveBack(this.bytes);
    this.bytes = 0;
  }

  close(): void {
    this.clear();
    this.#isClosed = true;
    this.#budget.leave(this);
  }
}

/** A cache within the budget, though the value asked for last always stays. */
export function createBoundedCache(budget: CacheBudget): BoundedCache {
  return new LruCache(budget);
}
