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
  const check = (): void => {
    if (failure) throw failure.error;
  };
  /** Resolves when all batches so far have ended, in whatever way. */
  let ended: Promise<unknown> = Promise.resolve();
  return {
    ...store,
    poison,
    async batch(operations, options) {
      check();
      const earlier = ended;
      const own = store.batch(operations, options).catch(poison);
      ended = Promise.all([earlier, own]);
      await own;
      // One that was behind the failed write in LevelDB's queue says that it succeeded, and is lost all the same.
      await earlier;
      check();
    },
  };
}
