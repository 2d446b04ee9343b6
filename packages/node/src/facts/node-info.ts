import fs from 'node:fs';
import os from 'node:os';
import { modulesInfo } from './modules.js';

/** Facts that `GET /_nodes` shows of a node. */
export interface InfoOptions {
  readonly startedAtMs: number;
  readonly processors: number;
  readonly memoryBytes: number;
  readonly indexBufferBytes: number;
  readonly shardThreads: number;
  readonly queues: PoolSizes;
  /** Types of ingest processors. */
  readonly processorTypes: readonly string[];
  readonly httpBound: readonly string[];
  readonly httpPublish: string;
  readonly maxContentBytes: number;
  readonly transportAddress: string;
}

/** Sizes of thread pools and their queues, as the settings give them. */
export interface PoolSizes {
  readonly search: number;
  readonly searchQueue: number;
  readonly getQueue: number;
  readonly writeQueue: number;
}

/**
 * Pools of Elasticsearch whose work is done by other pools here. Clients look for them, so they are listed, always with
 * no thread.
 */
export const IDLE_POOLS: ReadonlySet<string> = new Set([
  'auto_complete',
  'cluster_coordination',
  'search_coordination',
  'search_worker',
  'snapshot_meta',
  'system_critical_read',
  'system_critical_write',
  'system_read',
  'system_write',
]);

/** Thread pools by Elasticsearch's names: requests are served by the main thread, shards by their threads. */
export function threadPools(
  shardThreads: number,
  queues: PoolSizes,
): Record<
  string,
  { type: string; size?: number; core?: number; max?: number; keep_alive?: string; queue_size: number }
> {
  const fixed = (size: number, queue: number) => ({ type: 'fixed', size, queue_size: queue });
  const scaling = (max: number, keepAlive = '5m') => ({
    type: 'scaling',
    core: 1,
    max,
    keep_alive: keepAlive,
    queue_size: -1,
  });
  return {
    analyze: fixed(1, 16),
    auto_complete: fixed(1, 100),
    cluster_coordination: fixed(1, -1),
    fetch_shard_started: scaling(1),
    fetch_shard_store: scaling(1),
    flush: scaling(1),
    force_merge: fixed(1, -1),
    generic: scaling(4, '30s'),
    get: fixed(shardThreads, queues.getQueue),
    management: scaling(1),
    refresh: scaling(1),
    search: fixed(queues.search, queues.searchQueue),
    search_coordination: fixed(1, 1000),
    search_throttled: fixed(1, 100),
    search_worker: fixed(1, -1),
    snapshot: scaling(1),
    snapshot_meta: scaling(1, '30s'),
    system_critical_read: fixed(1, 2000),
    system_critical_write: fixed(1, 1500),
    system_read: fixed(1, 2000),
    system_write: fixed(1, 1000),
    warmer: scaling(1),
    write: fixed(shardThreads, queues.writeQueue),
  };
}

function prettyName(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(fs.readFileSync('/etc/os-release', 'utf8'))?.[1] ?? os.type();
  } catch {
    return os.type();
  }
}

/** The node's part of `GET /_nodes` that the cluster state does not have. The jvm block tells of this process. */
export function nodeInfo(options: InfoOptions): Record<string, unknown> {
  const architecture = os.arch() === 'x64' ? 'amd64' : os.arch() === 'arm64' ? 'aarch64' : os.arch();
  return {
    total_indexing_buffer: options.indexBufferBytes,
    os: {
      refresh_interval_in_millis: 1000,
      name: os.type(),
      pretty_name: prettyName(),
      arch: architecture,
      version: os.release(),
      available_processors: os.availableParallelism(),
      allocated_processors: options.processors,
    },
    process: { refresh_interval_in_millis: 1000, id: process.pid, mlockall: false },
    jvm: {
      pid: process.pid,
      version: process.versions.node,
      vm_name: 'Node.js',
      vm_version: process.versions.v8,
      vm_vendor: 'OpenJS Foundation',
      using_bundled_jdk: false,
      start_time_in_millis: options.startedAtMs,
      mem: {
        heap_init_in_bytes: options.memoryBytes,
        heap_max_in_bytes: options.memoryBytes,
        non_heap_init_in_bytes: 0,
        non_heap_max_in_bytes: 0,
        direct_max_in_bytes: 0,
      },
      gc_collectors: ['young', 'old'],
      memory_pools: ['young', 'old', 'survivor'],
      using_compressed_ordinary_object_pointers: 'false',
      input_arguments: process.execArgv,
    },
    thread_pool: threadPools(options.shardThreads, options.queues),
    transport: { bound_address: [options.transportAddress], publish_address: options.transportAddress, profiles: {} },
    http: {
      bound_address: options.httpBound,
      publish_address: options.httpPublish,
      max_content_length_in_bytes: options.maxContentBytes,
    },
    plugins: [],
    modules: modulesInfo(),
    ingest: { processors: options.processorTypes.map((type) => ({ type })) },
  };
}
