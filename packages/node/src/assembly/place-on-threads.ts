import { startShardThreads } from '../threads/start-shard-threads.js';
import { joinCluster } from './membership.js';
import type { Placement } from './placement.js';

export interface ThreadsOptions {
  /** 0: shards live on the main thread. */
  readonly shardThreads: number;
  /** Old-space limit of the heap of each thread of shards, in bytes. */
  readonly heapBytesMax: number;
}

/** Shards on threads of their own, if any; the control part, where there are other nodes, on another. */
export function placeOnThreads({ shardThreads, heapBytesMax }: ThreadsOptions): Placement {
  return {
    shardThreads,
    startShards: (options) => startShardThreads(options, { count: shardThreads, heapBytesMax }),
    join: joinCluster,
  };
}
