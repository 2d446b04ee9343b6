import type { ShardStoreInfo } from '@shoal/store';
import type { HeldShards } from './held-shards.js';
import { placeShard } from './place-shard.js';

export interface ListOptions {
  readonly thread: number;
  readonly threads: number;
  readonly storedInfo: (indexUuid: string, shard: number) => Promise<ShardStoreInfo>;
  readonly storedShards: () => Promise<readonly { readonly indexUuid: string; readonly shard: number }[]>;
}

/** One copy in the data folder, as the master compares them (cluster.md §4). */
export interface StoredShard {
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string | null;
  readonly prevAllocationId: string | null;
  readonly damaged: boolean;
  readonly term: number;
  readonly maxSeqNo: number;
  readonly globalCheckpoint: number;
  readonly segmentHashes: number;
  readonly historyUuid?: string;
}

const DAMAGED = { allocationId: null, prevAllocationId: null, damaged: true, term: 0, maxSeqNo: -1, globalCheckpoint: -1, segmentHashes: 0 } as const;

async function describe(shards: HeldShards, options: ListOptions, indexUuid: string, shard: number): Promise<StoredShard | null> {
  try {
    const open = await shards.storeInfo(indexUuid, shard);
    const info = open ?? (await shards.whileClosed(indexUuid, shard, () => options.storedInfo(indexUuid, shard)));
    if (!info) return null;
    const { allocationId, previousAllocationId: prevAllocationId, term, maxSeqNo, globalCheckpoint, segments, historyUuid } = info;
    return { indexUuid, shard, allocationId, prevAllocationId, damaged: false, term, maxSeqNo, globalCheckpoint, segmentHashes: segments.length, historyUuid };
  } catch {
    return { indexUuid, shard, ...DAMAGED };
  }
}

/** All copies on disk that this thread would hold. */
export async function listStores(shards: HeldShards, options: ListOptions): Promise<readonly StoredShard[]> {
  const found: StoredShard[] = [];
  for (const { indexUuid, shard } of await options.storedShards()) {
    if (placeShard(indexUuid, shard, options.threads) !== options.thread) continue;
    const info = await describe(shards, options, indexUuid, shard);
    if (info) found.push(info);
  }
  return found;
}
