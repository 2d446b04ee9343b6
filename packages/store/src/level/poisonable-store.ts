import type { KeyValueStore } from '@shoal/doors';

/** A handle of a store that refuses all writes after the first failed one. */
export interface PoisonableStore extends KeyValueStore {
  /** Makes every later write reject with `error`, after another handle of the same store has failed. */
  poison(error: unknown): void;
  /** Number of batches and compactions that were begun. */
  changes(): number;
}

/**
 * Wraps a handle so that its first failed write is its last one. After a failed append to its log, LevelDB accepts and
 * acknowledges further writes, but loses them at the next open. `earlierChanges` are those of a handle that this one
 * follows.
 */
export function poisonable(store: KeyValueStore, earlierChanges = 0): PoisonableStore {
  let failure: { readonly error: unknown } | null = null;
  const poison = (error: unknown): void => {
    failure ??= { error };
  };
  const check = (): void => {
    if (failure) throw failure.error;
  };
  /** Resolves when all batches so far have ended, with or without an error. */
  let ended: Promise<unknown> = Promise.resolve();
  let changes = earlierChanges;
  return {
    ...store,
    poison,
    changes: () => changes,
    compact(range) {
      changes++;
      return store.compact(range);
    },
    async batch(operations, options) {
      check();
      changes++;
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
