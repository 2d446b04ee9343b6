import { createDamageRecord, openOrMark, refuseMarked } from './copy/damage.js';
import { openKeepingFiles } from './commit/kept-files.js';
import { adoptVerified, openVerified } from './copy/open-verified.js';
import type { UnassignedStores } from './copy/unassigned-stores.js';
import { asStoreError } from './level/store-errors.js';
import { ChainedShardStore } from './shard-store.js';
import type { ShardStore, ShardStoreOptions } from './shard-store-api.js';

/**
 * Opens the store of one shard copy, or creates it if the folder is new, and verifies its log against its witness
 * (docs/internals/cluster.md §6.4-6.5). If anything acknowledged is missing or changed, throws corrupt_index_exception
 * and leaves a marker, so that the copy is never opened as if it were complete. A store of `unassignedStores` is
 * verified already and is used as it is.
 */
export async function openShardStore(
  options: ShardStoreOptions & { readonly unassignedStores?: UnassignedStores },
): Promise<ShardStore> {
  if (options.keeps) await options.unassignedStores?.drop(options.path);
  const looked = options.keeps ? null : await options.unassignedStores?.take(options.path);
  if (!looked) await refuseMarked(options.files, options.path);
  const damage = createDamageRecord(
    options.files,
    options.log,
    options.path,
    () => options.clock.now(),
    options.onFailure ?? (() => undefined),
  );
  const state = await openOrMark(damage, () =>
    looked
      ? adoptVerified(options, looked)
      : options.keeps
        ? openKeepingFiles(options, options.keeps)
        : openVerified(options),
  );
  const store = new ChainedShardStore(options, state, damage);
  try {
    await options.mounted?.begin(
      () => state.store,
      (error) => void store.fail(error),
    );
  } catch (error) {
    await store.close();
    throw asStoreError(error);
  }
  return store;
}
