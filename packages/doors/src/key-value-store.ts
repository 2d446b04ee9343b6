/** One write of an atomic batch. */
export type BatchOperation =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array };

/** Keys in [gte, lt), ascending, or descending with `reverse`. */
export interface KeyRange {
  readonly gte: Uint8Array;
  readonly lt: Uint8Array;
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** One ordered key-value store (LevelDB in production). Keys order by unsigned bytes. Used from one thread only. */
export interface KeyValueStore {
  /** Value of a key, or undefined if there is none. Blocks. Throws if the store is closed or cannot be read. */
  get(key: Uint8Array): Uint8Array | undefined;
  /**
   * Applies all operations or none. With `sync`, resolves only once they survive power loss. Rejects with the store's
   * error; then it is unknown whether the operations were applied.
   */
  batch(operations: readonly BatchOperation[], options: { sync: boolean }): Promise<void>;
  /** Entries of a range in key order, read in blocks. */
  entries(range: KeyRange): AsyncIterable<readonly [Uint8Array, Uint8Array]>;
  /** Approximate bytes that a range takes on disk. */
  sizeOf(range: KeyRange): Promise<number>;
  /** Compacts a range, which frees the space of its deleted keys. */
  compact(range: KeyRange): Promise<void>;
  close(): Promise<void>;
}

/** Opens and deletes stores by path. */
export interface KeyValueStores {
  open(location: string): Promise<KeyValueStore>;
  destroy(location: string): Promise<void>;
}

const compare = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b);

function memoryStore(map: Map<string, Uint8Array>): KeyValueStore {
  const hex = (key: Uint8Array): string => Buffer.from(key).toString('hex');
  const range = ({ gte, lt, reverse, limit }: KeyRange): (readonly [Uint8Array, Uint8Array])[] => {
    const found = [...map]
      .map(([key, value]) => [new Uint8Array(Buffer.from(key, 'hex')), value] as const)
      .filter(([key]) => compare(key, gte) >= 0 && compare(key, lt) < 0)
      .sort((a, b) => compare(a[0], b[0]));
    if (reverse) found.reverse();
    return limit === undefined ? found : found.slice(0, limit);
  };
  return {
    get: (key) => map.get(hex(key)),
    async batch(operations) {
      for (const op of operations) {
        if (op.type === 'put') map.set(hex(op.key), op.value.slice());
        else map.delete(hex(op.key));
      }
    },
    async *entries(wanted) {
      yield* range(wanted);
    },
    sizeOf: async (wanted) => range(wanted).reduce((sum, [key, value]) => sum + key.length + value.length, 0),
    compact: async () => undefined,
    close: async () => undefined,
  };
}

/** Stores in memory that survive `close` and `open` of the same fake, for tests. */
export function memoryStores(): KeyValueStores {
  const stores = new Map<string, Map<string, Uint8Array>>();
  return {
    async open(location) {
      if (!stores.has(location)) stores.set(location, new Map());
      return memoryStore(stores.get(location)!);
    },
    async destroy(location) {
      stores.delete(location);
    },
  };
}
