// A thread that holds shards: answers the main thread's messages on them (layout.md, "Threads").
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { ShardRoom } from '@shoal/host';
import { openShard } from '@shoal/shard';
import { createBlockCache, levelStores, nodeFiles } from '@shoal/store';
import { createLink } from '@shoal/transport';
import { systemClock } from '../doors/system-clock.js';
import { systemRandom } from '../doors/system-random.js';
import { forwardLog } from './forward-log.js';
import { createMergeWorker } from './merge-worker.js';
import type { ShardThreadData } from './shard-thread-data.js';
import { workerPort } from './worker-port.js';

const data = workerData as ShardThreadData;
const stores = levelStores();
const files = nodeFiles();
const blockCache = createBlockCache(data.blockCacheBytes);
const mergeWorker = createMergeWorker();
const shardPath = (indexUuid: string, shard: number): string => path.join(data.dataPath, 'indices', indexUuid, String(shard));

let room: ShardRoom | null = null;
const main = createLink(workerPort(parentPort!), async (action, payload, signal) => {
  if (action !== 'thread/close') return room!.handle(action, payload, signal);
  await room!.close();
  await mergeWorker.close();
  return new Uint8Array(0);
});
const log = forwardLog(main);

room = new ShardRoom({
  thread: data.thread,
  threads: data.threads,
  nodeId: data.nodeId,
  session: data.session,
  clock: systemClock,
  log,
  master: main,
  indexBufferBytes: data.indexBufferBytes,
  open: (index, routing, metadata, onFailure) =>
    openShard({
      shard: routing.shard,
      primaryTerm: index.primaryTerms[routing.shard] ?? 1,
      metadata,
      path: shardPath(index.uuid, routing.shard),
      stores,
      files,
      clock: systemClock,
      random: systemRandom,
      log,
      blockCache,
      bufferBytesMax: data.indexBufferBytes,
      searcherCacheBytesMax: Math.floor(data.blockCacheBytes / 4),
      mergeRunner: mergeWorker,
      onFailure,
    }),
  async destroy(indexUuid, shard) {
    await stores.destroy(path.join(shardPath(indexUuid, shard), 'db'));
    await files.removeFolder(shardPath(indexUuid, shard));
  },
});
