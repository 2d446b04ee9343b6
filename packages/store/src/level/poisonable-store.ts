import type { KeyValueStore } from '@shoal/doors';

/** A handle of a store that refuses all writes after the first failed one. */
export interface PoisonableStore extends KeyValueStore {
  /** Makes every later write reject with `error`, after another handle of the same store has failed. */
  poison(error: unknown): void;
}

/**
 * Wraps a handle so that its first failed write is its last one. After a failed append to its log, LevelDB accepts and
 * acknowledges further writes, but loses them at the next open.
 */
export function poisonable(store: KeyValueStore): PoisonableStore {
  let failure: { readonly error: unknown } | null = null;
  const poison = (error: unknown): void => {
    failure ??= { error };
  };
  const check = (): void => {
    if (failure) throw failure.error;
  };
  /** Resolves when all batches so far have ended, with or without an error. */
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
      // A batch that was queued after the failed write reports success and is lost all the same: check again.
      await earlier;
      check();
    },
  };
}
