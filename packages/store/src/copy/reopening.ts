import { isSpaceError } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { linkOf } from '../log/batch-header.js';
import type { DamageRecord } from './damage.js';
import type { ChainHead, GroupCommitContext } from '../commit/group-commit.js';
import type { VerifiedStore } from './open-verified.js';
import { poisonable } from '../level/poisonable-store.js';
import type { ShardStoreOptions } from '../shard-store-api.js';
import { asStoreError } from '../level/store-errors.js';

/** If a second write fails within this time, the store fails. */
const RETRY_WINDOW_MS = 60_000;

/**
 * Recovers from a write that failed because the disk is full: closes the handle, reopens the store, and returns whether
 * the batch is in it. Throws if the failure has another reason, if a write failed shortly before, or if the reopened
 * store has lost its last batch.
 */
export function createReopening(
  options: ShardStoreOptions,
  state: VerifiedStore,
  damage: DamageRecord,
): GroupCommitContext['recover'] {
  let lastMs = -Infinity;
  const isInStore = (headerKey: Uint8Array, header: Uint8Array, before: ChainHead): boolean => {
    const written = state.store.get(headerKey);
    if (written) {
      if (Buffer.compare(written, header) !== 0)
        throw errors.corruption('the last batch is not the one that was written');
      return true;
    }
    const lastKey = state.chain.batches.keyOf(before.batch);
    const last = lastKey === null ? undefined : state.store.get(lastKey);
    if (before.batch > 0 && (!last || Buffer.compare(linkOf(last), before.link) !== 0)) {
      throw damage.fail(errors.corruption(`batch [${before.batch}] of the log was lost`), true);
    }
    return false;
  };
  return async (error, headerKey, header, before) => {
    const now = options.clock.monotonic();
    const failure = asStoreError(error) as Error;
    if (!isSpaceError(failure) || now - lastMs < RETRY_WINDOW_MS) throw failure;
    lastMs = now;
    options.log.write('warn', 'write to a shard store failed, reopening it', {
      path: options.path,
      'error.message': failure.message,
    });
    await options.ballast?.drop();
    await state.store.close();
    // All handles of one process share one LevelDB, which is closed with the last of them.
    await state.othersEnded();
    state.store = poisonable(await options.stores.open(`${options.path}/db`), state.store.changes() + 1);
    return isInStore(headerKey, header, before);
  };
}
