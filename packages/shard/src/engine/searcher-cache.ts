import type { SearcherCache } from '@shoal/query';

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
  readonly scope: string;
}

/** Values that searches keep, within a number of bytes; the least recently used go first. */
export interface ScopedCache {
  /** The cache of one view: the same key means another value in another scope. */
  scope(name: string): SearcherCache;
  /** Forgets the values of a view that is gone. */
  dropScope(name: string): void;
  clear(): void;
  readonly bytes: number;
  readonly evictions: number;
}

const ENTRY_OVERHEAD_BYTES = 150;

export function createScopedCache(bytesMax: number): ScopedCache {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  let evictions = 0;

  const remove = (key: string, entry: Entry): void => {
    entries.delete(key);
    bytes -= entry.bytes;
  };
  const add = (key: string, entry: Entry): void => {
    entries.set(key, entry);
    bytes += entry.bytes;
    for (const [oldest, old] of entries) {
      if (bytes <= bytesMax || oldest === key) return;
      remove(oldest, old);
      evictions++;
    }
  };
  const lookUp = <T>(scope: string, name: string, make: () => { readonly value: T; readonly bytes: number }): T => {
    const key = `${scope}\0${name}`;
    const found = entries.get(key);
    if (found) {
      entries.delete(key);
      entries.set(key, found);
      return found.value as T;
    }
    const made = make();
    add(key, { value: made.value, bytes: made.bytes + key.length * 2 + ENTRY_OVERHEAD_BYTES, scope });
    return made.value;
  };
  return {
    scope: (name) => ({ get: (key, make) => lookUp(name, key, make) }),
    dropScope(name) {
      for (const [key, entry] of entries) if (entry.scope === name) remove(key, entry);
    },
    clear() {
      entries.clear();
      bytes = 0;
    },
    get bytes() {
      return bytes;
    },
    get evictions() {
      return evictions;
    },
  };
}
