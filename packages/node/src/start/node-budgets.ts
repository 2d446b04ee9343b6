import { availableParallelism } from 'node:os';
import v8 from 'node:v8';
import { watchMemory } from '../limits/watch-memory.js';
import type { NodeSettings } from '../settings/load-settings.js';
import { memoryBudget } from './memory-budget.js';

/**
 * Part of the memory budget for the heap of each kind of thread; the rest is for caches and buffers outside the heaps.
 */
const HEAP_SHARE = { main: 0.25, shards: 0.4 };

/**
 * Up to so many processors young garbage is collected by the thread that made it, alone: what survives is little, and
 * V8's other threads, which share two processors with everything else, kept it waiting. 64 collections during a load of
 * small documents on a busy machine: pauses of 329-351 instead of 467-670 ms in all, the longest 20-29 instead of
 * 85-114 ms; processor time the same.
 */
const LONE_SCAVENGE_PROCESSORS_MAX = 2;

/** Bytes that a node may use for what its shards and searches hold. */
export interface NodeBudgets {
  /** Of the node as a whole. */
  readonly memoryBytes: number;
  /** `indices.memory.index_buffer_size`. */
  readonly indexBufferBytes: number;
  /** `shoal.block_cache.size`. */
  readonly blockCacheBytes: number;
  /** `indices.breaker.request.limit`. */
  readonly requestBytesMax: number;
}

/** What a node's process has. */
export interface ProcessBudgets extends NodeBudgets {
  readonly processors: number;
  /** Threads of shards; 0: the main thread has them. */
  readonly shardThreads: number;
  /** Old-space limit of the heap of each of them. */
  readonly shardHeapBytes: number;
}

/** What settings and the machine give. */
export function processBudgets(settings: NodeSettings): ProcessBudgets {
  const memoryBytes = memoryBudget(settings.bytes('memory.limit'));
  const processors = settings.integer('node.processors') ?? availableParallelism();
  const shardThreads = shardThreadCount(settings, processors);
  return {
    memoryBytes,
    processors,
    shardThreads,
    shardHeapBytes: Math.floor((memoryBytes * HEAP_SHARE.shards) / Math.max(1, shardThreads)),
    indexBufferBytes: settings.share('indices.memory.index_buffer_size', memoryBytes),
    blockCacheBytes: settings.share('shoal.block_cache.size', memoryBytes),
    requestBytesMax: settings.share('indices.breaker.request.limit', memoryBytes),
  };
}

/**
 * `shoal.shard_threads`, else one less than processors; on two or fewer the shards live on the main thread
 * (docs/adr/0001).
 */
function shardThreadCount(settings: NodeSettings, processors: number): number {
  return settings.integer('shoal.shard_threads') ?? (processors <= 2 ? 0 : processors - 1);
}

/** Bounds the main thread's heap, and what the process as a whole holds until it is closed. */
export function limitMemory({ memoryBytes, processors, shardThreads }: ProcessBudgets): { close(): void } {
  const share = shardThreads === 0 ? HEAP_SHARE.main + HEAP_SHARE.shards : HEAP_SHARE.main;
  v8.setFlagsFromString(`--max-old-space-size=${Math.max(64, Math.floor((memoryBytes * share) / 2 ** 20))}`);
  if (processors <= LONE_SCAVENGE_PROCESSORS_MAX) v8.setFlagsFromString('--no-parallel-scavenge');
  return { close: watchMemory(memoryBytes) };
}
