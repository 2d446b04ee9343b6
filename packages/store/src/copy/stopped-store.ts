import { openShardStore } from '../open-shard-store.js';
import type { ShardStoreOptions } from '../shard-store-api.js';
import { type ShardStoreInfo, storeInfo } from './store-info.js';

/**
 * Describes a store that no code has open: opens, verifies and closes it. Throws corrupt_index_exception if it is
 * damaged.
 */
export async function stoppedStoreInfo(options: ShardStoreOptions): Promise<ShardStoreInfo> {
  const store = await openShardStore({ ...options, isAlone: false });
  try {
    return storeInfo(store);
  } finally {
    await store.close();
  }
}
