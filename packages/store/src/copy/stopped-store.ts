import { openShardStore } from '../shard-store.js';
import type { ShardStoreOptions } from '../shard-store-api.js';
import { type ShardStoreInfo, storeInfo } from './store-info.js';

/**
 * Opens the store of a copy that nobody has open, verifies it and closes it again. Throws corrupt_index_exception for a
 * damaged one.
 */
export async function stoppedStoreInfo(options: ShardStoreOptions): Promise<ShardStoreInfo> {
  const store = await openShardStore({ ...options, isAlone: false });
  try {
    return storeInfo(store);
  } finally {
    await store.close();
  }
}
