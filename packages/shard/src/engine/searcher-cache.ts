import type { SearcherCache } from '@shoal/query';

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
}

/**
 * Values that the searches of a shard keep, within a number of bytes; the least recently used go first. Keys name the
 * segments (and their versions) that a value was made from, so that a value outlives refreshes and never its segments' content.
 */
export interface BoundedCache extends SearcherCache {
  clear(): void;
  readonly bytes: number;
  readonly entryCount: number;
  readonly evictions: number;
  readonly hits: number;
  readonly misses: number;
  /** Bytes of the entries whose key begins with `prefix`. */
  bytesOf(prefix: string): number;
}

const ENTRY_OVERHEAD_BYTES = 150;

class LruCache implements BoundedCache {
  readonly #bytesMax: number;
  readonly #entries = new Map<string, Entry>();
  bytes = 0;
  evictions = 0;
  hits = 0;
  misses = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get entryCount(): number {
    return this.#entries.size;
  }

  get<T>(key: string, make: () => { readonly value: T; readonly bytes: number }): T {
    const found = this.#entries.get(key);
    if (found) {
      this.hits++;
      this.#entries.delete(key);
      this.#entries.set(key, found);
      return found.value as T;
    }
    this.misses++;
    const { value, bytes } = make();
    this.#add(key, { value, bytes: bytes + key.length * 2 + ENTRY_OVERHEAD_BYTES });
    return value;
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.bytes += entry.bytes;
    for (const [oldest, old] of this.#entries) {
      if (this.bytes <= this.#bytesMax || oldest === key) return;
      this.#entries.delete(oldest);
      this.bytes -= old.bytes;
      this.evictions++;
    }
  }

  bytesOf(prefix: string): number {
    let bytes = 0;
    for (const [key, entry] of this.#entries) if (key.startsWith(prefix)) bytes += entry.bytes;
    return bytes;
  }

  clear(): void {
    this.#entries.clear();
    this.bytes = 0;
  }
}

/** A cache of at most `bytesMax` bytes, though the value asked for last always stays. */
export function createBoundedCache(bytesMax: number): BoundedCache {
  return new LruCache(bytesMax);
}
