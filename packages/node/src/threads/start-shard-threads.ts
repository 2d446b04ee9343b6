import type { ShardPart, ShardPartOptions } from '../assembly/placement.js';
import { systemRoomDoors } from './open-shard-room.js';
import { createRequestMeters, requestMemory } from './request-meters.js';
import { ShardWorker } from './shard-worker.js';
import { openShardsHere } from './shards-here.js';

/** Number and heap of the shard threads. */
export interface ShardThreadsOptions {
  /** Number of threads; 0 keeps the shards on the calling thread. */
  readonly count: number;
  /** Old-space limit of each thread's heap, in bytes. */
  readonly heapBytesMax: number;
}

/** Starts the shard threads; they load while the main thread goes on loading. */
export function startShardThreads(options: ShardPartOptions, { count, heapBytesMax }: ShardThreadsOptions): ShardPart {
  const { handler, log } = options;
  if (count === 0) return openShardsHere(options, (given) => systemRoomDoors(given, log));
  const requestMeters = createRequestMeters(count);
  let restarted: (thread: number) => void = () => undefined;
  const workers = Array.from({ length: count }, (_, thread) => {
    const data = { ...options.data, requestMeters, thread, threads: count };
    return new ShardWorker({ data, heapBytesMax, handler, log, onRestart: () => restarted(thread) });
  });
  return {
    threads: workers,
    requestMemory: () => requestMemory(requestMeters),
    threadStats: () => workers.map((worker) => worker.stats()),
    sample: async (intervalMs) => new Map(await Promise.all(workers.map((worker) => worker.sample(intervalMs)))),
    searchStats: () => [],
    onRestart: (listener) => void (restarted = listener),
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
