import { createModelThread } from '../threads/ml-worker.js';
import { startShardThreads } from '../threads/start-shard-threads.js';
import { joinCluster } from './membership.js';
import type { Placement } from './placement.js';

/** Number and heap of the shard threads. */
export interface ThreadsOptions {
  /** Number of shard threads; 0 keeps the shards on the main thread. */
  readonly shardThreads: number;
  /** Old-space limit of the heap of each thread of shards, in bytes. */
  readonly heapBytesMax: number;
  /** Old-space limit of the heap of the thread of models, in megabytes. */
  readonly modelHeapMb: number;
}

/** Places shards on `shardThreads` threads, and elections on another thread if the node has links to other nodes. */
export function placeOnThreads({ shardThreads, heapBytesMax, modelHeapMb }: ThreadsOptions): Placement {
  return {
    shardThreads,
    startShards: (options) => startShardThreads(options, { count: shardThreads, heapBytesMax }),
    openModels: () => createModelThread(modelHeapMb),
    join: joinCluster,
  };
}
