import type { Clock } from '@shoal/doors';
import type { stores } from '@shoal/protocol';
import type { ShardStoreInfo } from '@shoal/store';
import { isSpaceError } from '@shoal/doors';
import type { HeldShards } from './held-shards.js';
import { placeShard } from './place-shard.js';

/** Longest wait in milliseconds for copies that are being opened. */
const OPEN_WAIT_MS = 5_000;

/** Parts of a thread that listing its stores needs. */
export interface ListOptions {
  readonly clock: Clock;
  readonly thread: number;
  readonly threads: number;
  readonly storedInfo: (indexUuid: string, shard: number) => Promise<ShardStoreInfo>;
  readonly storedShards: (
    wanted: (indexUuid: string) => boolean,
  ) => Promise<readonly { readonly indexUuid: string; readonly shard: number }[]>;
}

/** Description of a copy in the data folder, which the master compares with others (docs/internals/cluster.md §4). */
export type StoredShard = stores.StoredCopy;

const DAMAGED = {
  allocationId: null,
  prevAllocationId: null,
  damaged: true,
  term: 0,
  maxSeqNo: -1,
  globalCheckpoint: -1,
  segmentHashes: 0,
} as const;

/** Describes a copy; null if it is being opened, closed or removed. */
async function describe(
  shards: HeldShards,
  options: ListOptions,
  until: number,
  indexUuid: string,
  shard: number,
): Promise<StoredShard | null> {
  try {
    const open = await shards.storeInfo(indexUuid, shard, until);
    const info = open ?? (await shards.whileClosed(indexUuid, shard, () => options.storedInfo(indexUuid, shard)));
    if (!info) return null;
    const {
      allocationId,
      previousAllocationId: prevAllocationId,
      term,
      maxSeqNo,
      globalCheckpoint,
      segments,
      historyUuid,
    } = info;
    return {
      indexUuid,
      shard,
      allocationId,
      prevAllocationId,
      damaged: false,
      term,
      maxSeqNo,
      globalCheckpoint,
      segmentHashes: segments.length,
      historyUuid,
    };
  } catch (error) {
    // A full disk says nothing about the copy: rethrows, so that the master asks again.
    if (isSpaceError(error)) throw error;
    return { indexUuid, shard, ...DAMAGED };
  }
}

/** Number of stores that are inspected at the same time. Each is opened and verified, which is mostly waiting. */
const LOOKS_MAX = 8;

/**
 * Lists all copies on disk that this thread would hold. Copies that cannot be inspected now are listed by name only.
 */
export async function listStores(shards: HeldShards, options: ListOptions): Promise<stores.StoreList> {
  const mine = (await options.storedShards(() => true)).filter(
    ({ indexUuid, shard }) => placeShard(indexUuid, shard, options.threads) === options.thread,
  );
  const found: StoredShard[] = [];
  const busy: { readonly indexUuid: string; readonly shard: number }[] = [];
  const until = options.clock.monotonic() + OPEN_WAIT_MS;
  const waiting = mine.values();
  const look = async (): Promise<void> => {
    for (const { indexUuid, shard } of waiting) {
      const info = await describe(shards, options, until, indexUuid, shard);
      if (info) found.push(info);
      else busy.push({ indexUuid, shard });
    }
  };
  await Promise.all(Array.from({ length: LOOKS_MAX }, look));
  return { shards: found, busy };
}
