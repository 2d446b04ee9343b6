import type { CacheBudget, CacheMember } from './cache-budget.js';

/** An entry in the circular list of its cache. The sentinel lies between the most and the least recently used entry. */
interface Entry<V> {
  readonly key: string;
  readonly value: V;
  readonly bytes: number;
  usedAt: number;
  older: Entry<V>;
  newer: Entry<V>;
}

/** Sentinel of the circular list; never evicted, since it counts as used after all others. */
function createHead<V>(): Entry<V> {
  const head = { key: '', bytes: 0, usedAt: Number.POSITIVE_INFINITY } as Omit<Entry<V>, 'older' | 'newer'> as Entry<V>;
  head.older = head;
  head.newer = head;
  return head;
}

function unlink<V>({ older, newer }: Entry<V>): void {
  older.newer = newer;
  newer.older = older;
}

/**
 * Values by key, within a budget of bytes that several caches share: the least recently used value of all of them is
 * evicted first. Order of use is kept in a linked list. A `Map` that deletes and inserts a key at each use is rehashed
 * often, and finding its first entry skips the deleted ones.
 */
export class BudgetedLru<V> implements CacheMember {
  readonly #budget: CacheBudget;
  readonly #entries = new Map<string, Entry<V>>();
  readonly #head = createHead<V>();
  #isClosed = false;
  /** Bytes of all values. */
  bytes = 0;
  /** Number of values evicted for space. */
  evictions = 0;
  /** Number of `find` calls that found their key. */
  hits = 0;
  /** Number of keys that were not found; counted by the owner, for values that may be cached. */
  misses = 0;

  constructor(budget: CacheBudget) {
    this.#budget = budget;
    budget.join(this);
  }

  get entryCount(): number {
    return this.#entries.size;
  }

  /** Returns the value of a key, which becomes the most recently used; undefined when absent. */
  find(key: string): V | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    this.hits++;
    found.usedAt = this.#budget.use();
    if (this.#head.older !== found) {
      unlink(found);
      this.#linkNewest(found);
    }
    return found.value;
  }

  /** Adds a value of `bytes` bytes. The value added last is not evicted, even if it alone exceeds the budget. */
  add(key: string, value: V, bytes: number): void {
    if (this.#isClosed || this.#entries.has(key)) return;
    const entry: Entry<V> = { key, value, bytes, usedAt: this.#budget.use(), older: this.#head, newer: this.#head };
    this.#linkNewest(entry);
    this.#entries.set(key, entry);
    this.bytes += bytes;
    this.#budget.take(bytes, entry.usedAt);
  }

  #linkNewest(entry: Entry<V>): void {
    const head = this.#head;
    entry.newer = head;
    entry.older = head.older;
    head.older.newer = entry;
    head.older = entry;
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

  /** Returns the bytes of the values whose key begins with `prefix`. */
  bytesOf(prefix: string): number {
    let bytes = 0;
    for (const [key, entry] of this.#entries) if (key.startsWith(prefix)) bytes += entry.bytes;
    return bytes;
  }

  /** Removes all values. */
  clear(): void {
    this.#entries.clear();
    this.#head.older = this.#head;
    this.#head.newer = this.#head;
    this.#budget.giveBack(this.bytes);
    this.bytes = 0;
  }

  /** Removes all values; later `add` calls have no effect. */
  close(): void {
    this.clear();
    this.#isClosed = true;
    this.#budget.leave(this);
  }
}
