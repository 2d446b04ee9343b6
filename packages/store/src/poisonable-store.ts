import type { KeyValueStore } from '@shoal/doors';

/** A store whose first failed write ends it. */
export interface PoisonableStore extends KeyValueStore {
  /** Every later write rejects with `error`; for failures of another handle of the same store. */
  poison(error: unknown): void;
}

/**
 * After a failed append LevelDB takes writes again, acknowledges them and loses them at the next open: the first failed
 * write, of whatever part of the shard, must be the last one of its handle.
 */
export function poisonable(store: KeyValueStore): PoisonableStore {
  let failure: { readonly error: unknown } | null = null;
  const poison = (error: unknown): void => {
    failure ??= { error };
  };
  return {
    ...store,
    poison,
    async batch(operations, options) {
      if (failure) throw failure.error;
      try {
        await store.batch(operations, options);
      } catch (error) {
        poison(error);
        throw error;
      }
    },
  };
}
