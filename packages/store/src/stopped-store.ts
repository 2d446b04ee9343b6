import type { Epoch } from './epochs.js';
import { openShardStore } from './shard-store.js';
import type { ShardStoreOptions } from './shard-store-api.js';

/** What a copy on disk could be: for the master, which chooses among them (cluster.md §4). */
export interface ShardStoreInfo {
  readonly allocationId: string | null;
  readonly previousAllocationId: string | null;
  readonly historyUuid: string;
  readonly term: number;
  readonly maxSeqNo: number;
  readonly globalCheckpoint: number;
  readonly epochs: readonly Epoch[];
  readonly historyFloor: number;
  /** Root hashes of the newest commit's segments, hexadecimal. */
  readonly segments: readonly string[];
}

/** The same of an open store. */
export function storeInfo(store: Awaited<ReturnType<typeof openShardStore>>): ShardStoreInfo {
  const { allocationId, previousAllocationId, historyUuid } = store.identity;
  return {
    allocationId,
    previousAllocationId,
    historyUuid,
    term: store.currentTerm,
    maxSeqNo: store.persistedSeqNo(),
    globalCheckpoint: store.globalCheckpoint,
    epochs: store.epochs,
    historyFloor: store.commit?.historyFloor ?? 0,
    segments: (store.commit?.segments ?? []).map(({ rootHash }) => Buffer.from(rootHash).toString('hex')),
  };
}

/** Opens the store of a copy that nobody has open, verifies it and closes it again. Throws corrupt_index_exception for a damaged one. */
export async function stoppedStoreInfo(options: ShardStoreOptions): Promise<ShardStoreInfo> {
  const store = await openShardStore({ ...options, isAlone: false });
  try {
    return storeInfo(store);
  } finally {
    await store.close();
  }
}
