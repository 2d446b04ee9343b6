import path from 'node:path';
import type { Channel, ChannelHandler, Log } from '@shoal/doors';
import { ShardRoom } from '@shoal/host';
import { openShard } from '@shoal/shard';
import { createBlockCache, levelStores, nodeFiles } from '@shoal/store';
import { systemClock } from '../doors/system-clock.js';
import { systemRandom } from '../doors/system-random.js';
import { createMergeWorker } from './merge-worker.js';
import type { ShardThreadData } from './shard-thread-data.js';

export interface OpenedRoom {
  readonly handle: ChannelHandler;
  /** Flushes and closes the shards and ends the merge thread. */
  close(): Promise<void>;
}

/** The shards of the calling thread over the system's doors. `master` reaches the elected master. */
export function openShardRoom(data: ShardThreadData, master: Channel, log: Log): OpenedRoom {
  const stores = levelStores();
  const files = nodeFiles();
  const blockCache = createBlockCache(data.blockCacheBytes);
  const mergeWorker = createMergeWorker();
  const shardPath = (indexUuid: string, shard: number): string => path.join(data.dataPath, 'indices', indexUuid, String(shard));
  const doors = { stores, files, clock: systemClock, random: systemRandom, log, blockCache, mergeRunner: mergeWorker };
  const room = new ShardRoom({
    ...data,
    clock: systemClock,
    log,
    master,
    open: (index, routing, metadata, onFailure) =>
      openShard({
        ...doors,
        shard: routing.shard,
        primaryTerm: index.primaryTerms[routing.shard] ?? 1,
        metadata,
        path: shardPath(index.uuid, routing.shard),
        bufferBytesMax: data.indexBufferBytes,
        searcherCacheBytesMax: Math.floor(data.blockCacheBytes / 4),
        onFailure,
      }),
    async destroy(indexUuid, shard) {
      await stores.destroy(path.join(shardPath(indexUuid, shard), 'db'));
      await files.removeFolder(shardPath(indexUuid, shard));
    },
  });
  return {
    handle: room.handle,
    async close() {
      await room.close();
      await mergeWorker.close();
    },
  };
}
