import type { KeyValueStore, KeyValueStores } from '@shoal/doors';

/** Returns a promise for the same whose continuation is charged to the kind of work that asks (`FairTurns.follow`). */
export type Follow = <T>(promise: Promise<T>) => Promise<T>;

function followedStore(store: KeyValueStore, follow: Follow): KeyValueStore {
  return {
    get: (key) => store.get(key),
    batch: (operations, options) => follow(store.batch(operations, options)),
    entries: (range) => store.entries(range),
    sizeOf: (range) => follow(store.sizeOf(range)),
    compact: (range) => follow(store.compact(range)),
    close: () => follow(store.close()),
  };
}

/** Stores whose writes are followed: what a bulk does after its log is written is the bulk's. */
export const followedStores = (stores: KeyValueStores, follow: Follow): KeyValueStores => ({
  open: async (location) => followedStore(await follow(stores.open(location)), follow),
  destroy: (location) => follow(stores.destroy(location)),
});
