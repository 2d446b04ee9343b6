import type { CacheBudget, CacheMember } from './cache-budget.js';

/**
 * A value in the circular list of its cache, whose head lies between the entry used last and the one that was not used
 * for longest.
 */
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
 * Values by key within bytes that several caches share; the least recently used value of them all is evicted first. A
 * linked list: a map that deletes and inserts a key at each use is rehashed every so often, and looks for its first
 * entry among the deleted ones.
 */
export class BudgetedLru<V> implements CacheMember {
  readonly #budget: CacheBudget;
  readonly #entries = new Map<string, Entry<V>>();
  readonly #head = createHead<V>();
  #isClosed = false;
  /** Bytes of all entries. */
  bytes = 0;
  /** Entries that were dropped for space. */
  evictions = 0;
  /** Keys that were found; `find` counts. */
  hits = 0;
  /** Keys that were not found; the owner counts those that it could have kept. */
  misses = 0;

  constructor(budget: CacheBudget) {
    this.#budget = budget;
    budget.join(this);
  }

  get entryCount(): number {
    return this.#entries.size;
  }

  /** The value of a key, which counts as used now; undefined when it is not kept. */
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

  /** Keeps a value that takes `bytes`; the value added last stays even if it alone is too large. */
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

  /** Bytes of the entries whose key begins with `prefix`. */
  bytesOf(prefix: string): number {
    let bytes = 0;
    for (const [key, entry] of this.#entries) if (key.startsWith(prefix)) bytes += entry.bytes;
    return bytes;
  }

  /** Drops all entries. */
  clear(): void {
    this.#entries.clear();
    this.#head.older = this.#head;
    this.#head.newer = this.#head;
    this.#budget.giveBack(this.bytes);
    this.bytes = 0;
  }

  /** Drops all entries and keeps nothing from now on. */
  close(): void {
    this.clear();
    this.#isClosed = true;
    this.#budget.leave(this);
  }
}
