import type { SearcherCache } from '@shoal/query';
import type { CacheBudget, CacheMember } from './cache-budget.js';

/**
 * A value in the circle of its cache, whose head lies between the entry used last and the one that was not used for
 * longest.
 */
interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly bytes: number;
  usedAt: number;
  older: Entry;
  newer: Entry;
}

/**
 * Values that the searches of a shard keep, within bytes shared with other shards; the least recently used go first.
 * Keys name the segments (and their versions) that a value was made from, so that a value outlives refreshes and never
 * its segments' content.
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

/** An empty circle: its head, used after all others. */
function createHead(): Entry {
  const head = { key: '', value: null, bytes: 0, usedAt: Number.POSITIVE_INFINITY } as Omit<
    Entry,
    'older' | 'newer'
  > as Entry;
  head.older = head;
  head.newer = head;
  return head;
}

function unlink({ older, newer }: Entry): void {
  older.newer = newer;
  newer.older = older;
}

/**
 * Least recently used first, by a linked list: a map that forgets and takes again at each use is written anew ever so
 * often, and looks for its first entry among the forgotten.
 */
class LruCache implements BoundedCache, CacheMember {
  readonly #budget: CacheBudget;
  readonly #entries = new Map<string, Entry>();
  readonly #head = createHead();
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
      this.#use(found);
      return found.value as T;
    }
    this.misses++;
    const { value, bytes } = make();
    if (!this.#isClosed) this.#add(key, value, bytes + key.length * 2 + ENTRY_OVERHEAD_BYTES);
    return value;
  }

  #use(entry: Entry): void {
    entry.usedAt = this.#budget.use();
    if (this.#head.older === entry) return;
    unlink(entry);
    this.#linkNewest(entry);
  }

  #linkNewest(entry: Entry): void {
    const head = this.#head;
    entry.newer = head;
    entry.older = head.older;
    head.older.newer = entry;
    head.older = entry;
  }

  #add(key: string, value: unknown, bytes: number): void {
    const entry: Entry = { key, value, bytes, usedAt: this.#budget.use(), older: this.#head, newer: this.#head };
    this.#linkNewest(entry);
    this.#entries.set(key, entry);
    this.bytes += bytes;
    this.#budget.take(bytes, entry.usedAt);
  }

  oldestUse(): number {
    return this.#head.newer.usedAt;
  }

  dropOldest(): void {
    const oldest = this.#head.newer;
    if (oldest === this.#head) return;
    unlink(oldest);
    this.#entries.delete(oldest.key);
    this.bytes -= oldest.bytes;
    this.#budget.giveBack(oldest.bytes);
    this.evictions++;
  }

  bytesOf(prefix: string): number {
    let bytes = 0;
    for (const [key, entry] of this.#entries) if (key.startsWith(prefix)) bytes += entry.bytes;
    return bytes;
  }

  clear(): void {
    this.#entries.clear();
    this.#head.older = this.#head;
    this.#head.newer = this.#head;
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
