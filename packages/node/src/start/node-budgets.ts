import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import { watchMemory } from '../limits/watch-memory.js';
import type { NodeSettings } from '../settings/load-settings.js';
import { memoryBudget } from './memory-budget.js';

/** Share of the memory budget for the heaps of shard threads. That of the main thread is limited by `bin/shoal`. */
const SHARDS_HEAP_SHARE = 0.4;

/**
 * On up to this many processors, each thread collects its young garbage alone. Little survives, and V8's helper
 * threads, which share the processors with everything else, delayed it. 64 collections while indexing small documents
 * on a busy machine: pauses of 329-351 instead of 467-670 ms in all, the longest 20-29 instead of 85-114 ms. Processor
 * time was the same.
 */
const LONE_SCAVENGE_PROCESSORS_MAX = 2;

const SNAPSHOT_CACHE = 'xpack.searchable.snapshot.shared_cache.size';

/** Size in bytes of the disk on which a folder is, or will be. */
function diskBytes(folder: string): number {
  const existing = path.resolve(folder);
  if (!existsSync(existing) && path.dirname(existing) !== existing) return diskBytes(path.dirname(existing));
  const { blocks, bsize } = statfsSync(existing);
  return blocks * bsize;
}

/** Memory budgets of a node in bytes. */
export interface NodeBudgets {
  /** Bytes for the whole node. */
  readonly memoryBytes: number;
  /** `indices.memory.index_buffer_size`. */
  readonly indexBufferBytes: number;
  /** `shoal.block_cache.size`. */
  readonly blockCacheBytes: number;
  /** `xpack.searchable.snapshot.shared_cache.size`: bytes on disk. */
  readonly snapshotCacheBytes: number;
  /** `indices.breaker.request.limit`. */
  readonly requestBytesMax: number;
  /** Threads that search beside the thread of the shards. */
  readonly searchThreads: number;
}

/** Memory budgets and threads of a node's process. */
export interface ProcessBudgets extends NodeBudgets {
  readonly processors: number;
  /** Number of shard threads; 0 keeps shards on the main thread. */
  readonly shardThreads: number;
  /** Old-space limit in bytes of each shard thread's heap. */
  readonly shardHeapBytes: number;
}

/** Computes the budgets from the settings and the machine. */
export function processBudgets(settings: NodeSettings): ProcessBudgets {
  const memoryBytes = memoryBudget(settings.bytes('memory.limit'));
  const processors = settings.integer('node.processors') ?? availableParallelism();
  const shardThreads = shardThreadCount(settings, processors);
  return {
    memoryBytes,
    processors,
    shardThreads,
    searchThreads: searchThreadCount(settings, processors, shardThreads),
    shardHeapBytes: Math.floor((memoryBytes * SHARDS_HEAP_SHARE) / Math.max(1, shardThreads)),
    indexBufferBytes: settings.share('indices.memory.index_buffer_size', memoryBytes),
    blockCacheBytes: settings.share('shoal.block_cache.size', memoryBytes),
    snapshotCacheBytes: settings.share(SNAPSHOT_CACHE, diskBytes(settings.text('path.data') ?? '.')),
    requestBytesMax: settings.share('indices.breaker.request.limit', memoryBytes),
  };
}

/**
 * Returns `shoal.shard_threads`. Default: processors minus one; on up to two processors 0, so shards live on the main
 * thread (docs/adr/0001).
 */
function shardThreadCount(settings: NodeSettings, processors: number): number {
  return settings.integer('shoal.shard_threads') ?? (processors <= 2 ? 0 : processors - 1);
}

/** Most threads that search beside the main thread: each has caches of its own. */
const SEARCH_THREADS_MAX = 8;

/** Returns `shoal.search_threads`; 0 with one processor, and where shards have threads of their own. */
function searchThreadCount(settings: NodeSettings, processors: number, shardThreads: number): number {
  if (shardThreads > 0 || processors === 1) return 0;
  const wanted = settings.integer('shoal.search_threads') ?? 0;
  return Math.max(0, Math.min(wanted, SEARCH_THREADS_MAX));
}

/** Keeps the memory of the process within its budget until it is closed. */
export function limitMemory({ memoryBytes, processors }: ProcessBudgets): { close(): void } {
  if (processors <= LONE_SCAVENGE_PROCESSORS_MAX) v8.setFlagsFromString('--no-parallel-scavenge');
  return { close: watchMemory(memoryBytes) };
}
