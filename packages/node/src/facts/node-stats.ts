import fs from 'node:fs';
import os from 'node:os';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import { formatByteSize } from '@shoal/values';
import type { CoordinationStatistics } from '@shoal/cluster';
import type { NodeRank } from '@shoal/coordinator';
import { httpClientsJson, type HttpStats, pathStatsJson } from '@shoal/rest';
import type { TransportTotals } from '../assembly/membership-api.js';
import type { Limits } from '../limits/open-limits.js';
import type { ShardWork } from '../limits/shard-work.js';
import type { SearchThreadStats } from '../threads/search-worker.js';
import type { ShardThreadStats } from '../threads/shard-worker.js';
import { controlGroup } from './control-group.js';
import { watchDisk } from './disk-operations.js';
import { IDLE_POOLS, threadPools } from './node-info.js';
import { memoryMeter, type ProcessMemory } from './process-memory.js';
import { timesByName } from './thread-times.js';
import { scriptCacheSection, scriptSection } from './script-facts.js';

/** Sources of the figures that `GET /_nodes/stats` shows. */
export interface StatsOptions {
  readonly startedAtMs: number;
  readonly memoryBytes: number;
  readonly dataPath: string;
  readonly shardThreads: number;
  readonly work: ShardWork;
  readonly limits: Pick<Limits, 'parent' | 'pressure' | 'queues'>;
  readonly requestBytesMax: number;
  readonly requestMemory: () => { readonly used: number; readonly tripped: number };
  /** Figures of the threads that hold shards; none if the main thread holds them. */
  readonly threadStats: () => readonly ShardThreadStats[];
  /** Figures of the threads that search beside those of the shards. */
  readonly searchThreads: () => readonly SearchThreadStats[];
  readonly http: Pick<HttpStats, 'clients' | 'connectionsOpen' | 'connectionsTotal' | 'paths'>;
  /** Figures of all links to other nodes. */
  readonly transport: () => Promise<TransportTotals>;
  readonly coordination: () => Promise<CoordinationStatistics>;
  readonly searchRanks: () => ReadonlyMap<string, NodeRank>;
  /** Figures of ingest pipelines, in the form of the API. */
  readonly ingest: () => object;
  readonly inFlight: () => { readonly used: number; readonly limit: number; readonly tripped: number };
}

interface Collections {
  count: number;
  millis: number;
}

/** Counts this thread's garbage collections from now on. */
function watchCollections(): { young: Collections; old: Collections } {
  const seen = { young: { count: 0, millis: 0 }, old: { count: 0, millis: 0 } };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const kind = (entry as unknown as { detail?: { kind?: number } }).detail?.kind;
      const side = kind === constants.NODE_PERFORMANCE_GC_MINOR ? seen.young : seen.old;
      side.count++;
      side.millis += entry.duration;
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return seen;
}

/** Percentages of processor time since the last call, of the machine and of this process. */
function watchProcessor(): () => { machine: number; own: number; totalMillis: number } {
  const sample = () => {
    const cpus = os.cpus();
    const busy = cpus.reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
    const idle = cpus.reduce((sum, { times }) => sum + times.idle, 0);
    const { user, system } = process.cpuUsage();
    return { busy, all: busy + idle, own: (user + system) / 1000 };
  };
  let last = sample();
  return () => {
    const now = sample();
    const all = Math.max(1, now.all - last.all);
    const result = {
      machine: Math.round(((now.busy - last.busy) / all) * 100),
      own: Math.min(100, Math.round(((now.own - last.own) / all) * 100)),
      totalMillis: Math.round(now.own),
    };
    last = now;
    return result;
  };
}

function fileDescriptors(): { open: number; max: number } {
  try {
    const max = Number(/^Max open files\s+(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? -1);
    return { open: fs.readdirSync('/proc/self/fd').length, max };
  } catch {
    return { open: -1, max: -1 };
  }
}

function fileSystem(folder: string): { total_in_bytes: number; free_in_bytes: number; available_in_bytes: number } {
  const { blocks, bsize, bfree, bavail } = fs.statfsSync(folder);
  return { total_in_bytes: blocks * bsize, free_in_bytes: bfree * bsize, available_in_bytes: bavail * bsize };
}

/** Mount point and kind of the file system that holds a folder. */
function volumeOf(folder: string): { mount: string; type: string } {
  try {
    const mounts = fs
      .readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '));
    const holding = mounts.filter(
      ([, point = '']) => point === '/' || folder === point || folder.startsWith(`${point}/`),
    );
    const [device = '', point = '', type = 'unknown'] = holding.reduce(
      (best, next) => ((next[1] ?? '').length >= (best[1] ?? '').length ? next : best),
      [],
    );
    return { mount: `${point} (${device})`, type };
  } catch {
    return { mount: '', type: 'unknown' };
  }
}

function machineMemory(): Record<string, number> {
  const total = os.totalmem();
  const free = os.freemem();
  const freePercent = Math.round((free / total) * 100);
  return {
    total_in_bytes: total,
    adjusted_total_in_bytes: total,
    free_in_bytes: free,
    used_in_bytes: total - free,
    free_percent: freePercent,
    used_percent: 100 - freePercent,
  };
}

/** Remembers the largest value of each name. */
function peaks(): (name: string, value: number) => number {
  const seen = new Map<string, number>();
  return (name, value) => {
    const peak = Math.max(value, seen.get(name) ?? 0);
    seen.set(name, peak);
    return peak;
  };
}

/** Number of threads of this process, those of the runtime included; `known` without `/proc`. */
function threadCount(known: number): number {
  try {
    return Number(/^Threads:\s+(\d+)/m.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1] ?? known);
  } catch {
    return known;
  }
}

/** Reads a figure given in kB from a file of `/proc`. Returns bytes, or null if there is none. */
function procKilobytes(file: string, name: string): number | null {
  try {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(fs.readFileSync(file, 'utf8'));
    return found ? Number(found[1]) * 1024 : null;
  } catch {
    return null;
  }
}

function virtualBytes(residentBytes: number): number {
  return procKilobytes('/proc/self/status', 'VmSize') ?? residentBytes;
}

function swapSpace(): Record<string, number> {
  const total = procKilobytes('/proc/meminfo', 'SwapTotal') ?? 0;
  const free = procKilobytes('/proc/meminfo', 'SwapFree') ?? 0;
  return { total_in_bytes: total, free_in_bytes: free, used_in_bytes: total - free };
}

function breaker(limit: number, estimated: number, overhead: number, tripped: number): Record<string, unknown> {
  return {
    limit_size_in_bytes: limit,
    limit_size: formatByteSize(limit),
    estimated_size_in_bytes: estimated,
    estimated_size: formatByteSize(estimated),
    overhead,
    tripped,
  };
}

function transportStats({
  serverOpen,
  totalOutboundConnections,
  rxCount,
  rxBytes,
  txCount,
  txBytes,
}: TransportTotals): Record<string, unknown> {
  return {
    server_open: serverOpen,
    total_outbound_connections: totalOutboundConnections,
    rx_count: rxCount,
    rx_size_in_bytes: rxBytes,
    tx_count: txCount,
    tx_size_in_bytes: txBytes,
    inbound_handling_time_histogram: [],
    outbound_handling_time_histogram: [],
  };
}

/**
 * Creates the function that returns this node's part of `GET /_nodes/stats`. The caller adds the section `indices`.
 */
export function createNodeStats(options: StatsOptions): () => Promise<Record<string, unknown>> {
  const collections = watchCollections();
  const peak = peaks();
  const processor = watchProcessor();
  const memoryOf = memoryMeter();
  const diskOperations = watchDisk(options.dataPath);
  return async () => {
    const now = Date.now();
    const cpu = processor();
    const [one, five, fifteen] = os.loadavg();
    const descriptors = fileDescriptors();
    const volume = fileSystem(options.dataPath);
    const cgroup = controlGroup();
    const memory = memoryOf();
    return {
      os: {
        timestamp: now,
        cpu: { percent: cpu.machine, load_average: { '1m': one, '5m': five, '15m': fifteen } },
        mem: machineMemory(),
        swap: swapSpace(),
        ...(cgroup === null ? {} : { cgroup }),
      },
      process: {
        timestamp: now,
        open_file_descriptors: descriptors.open,
        max_file_descriptors: descriptors.max,
        cpu: { percent: cpu.own, total_in_millis: cpu.totalMillis },
        mem: { total_virtual_in_bytes: virtualBytes(memory.rss) },
      },
      jvm: processStats(now, memory, options, collections, peak),
      thread_pool: poolStats(options),
      fs: {
        timestamp: now,
        total: volume,
        data: [{ path: options.dataPath, ...volumeOf(options.dataPath), ...volume }],
        io_stats: diskOperations(),
      },
      transport: transportStats(await options.transport()),
      http: {
        current_open: options.http.connectionsOpen,
        total_opened: options.http.connectionsTotal,
        clients: httpClientsJson(options.http.clients, now),
        routes: pathStatsJson(options.http.paths),
      },
      breakers: breakers(options),
      script: scriptSection(),
      discovery: discoveryStats(await options.coordination()),
      ingest: options.ingest(),
      adaptive_selection: adaptiveSelection(options.searchRanks()),
      script_cache: scriptCacheSection(),
      indexing_pressure: indexingPressure(options),
      repositories: {},
      threads: threadTimesSection(),
      shard_threads: shardThreads(options.threadStats()),
      search_threads: searchThreads(options.searchThreads()),
    };
  };
}

function processStats(
  now: number,
  memory: ProcessMemory,
  options: StatsOptions,
  collections: ReturnType<typeof watchCollections>,
  peak: ReturnType<typeof peaks>,
): Record<string, unknown> {
  const spaces = new Map(v8.getHeapSpaceStatistics().map((space) => [space.space_name, space]));
  const pool = (name: string, max = 0) => {
    const used = spaces.get(name)?.space_used_size ?? 0;
    return { used_in_bytes: used, max_in_bytes: max, peak_used_in_bytes: peak(name, used), peak_max_in_bytes: max };
  };
  const threads = threadCount(options.shardThreads + 1);
  const collector = ({ count, millis }: Collections) => ({
    collection_count: count,
    collection_time_in_millis: Math.round(millis),
  });
  return {
    timestamp: now,
    uptime_in_millis: now - options.startedAtMs,
    mem: {
      heap_used_in_bytes: memory.rss,
      heap_used_percent: Math.round((memory.rss / options.memoryBytes) * 100),
      heap_committed_in_bytes: memory.rss,
      heap_max_in_bytes: options.memoryBytes,
      non_heap_used_in_bytes: memory.external,
      non_heap_committed_in_bytes: memory.external,
      pools: {
        young: pool('new_space'),
        old: pool('old_space', v8.getHeapStatistics().heap_size_limit),
        survivor: pool('new_large_object_space'),
      },
    },
    threads: { count: threads, peak_count: peak('threads', threads) },
    gc: { collectors: { young: collector(collections.young), old: collector(collections.old) } },
    buffer_pools: {
      mapped: { count: 0, used_in_bytes: 0, total_capacity_in_bytes: 0 },
      direct: { count: 0, used_in_bytes: memory.arrayBuffers, total_capacity_in_bytes: memory.arrayBuffers },
    },
    classes: { current_loaded_count: 0, total_loaded_count: 0, total_unloaded_count: 0 },
  };
}

function poolStats(options: StatsOptions): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(threadPools(options.shardThreads, options.limits.queues)).map(([name, { size, max }]) => {
      const isWorker = name === 'search_worker';
      const threads = isWorker ? options.searchThreads().length : IDLE_POOLS.has(name) ? 0 : (size ?? max ?? 1);
      const { active, queue, largest, completed, rejected } = isWorker
        ? workerPool(options.searchThreads())
        : options.work.pool(name);
      const waiting = queue > 0 ? queue : Math.max(0, active - threads);
      return [
        name,
        {
          threads,
          queue: waiting,
          active: Math.min(active, threads),
          rejected,
          largest: Math.min(largest, threads),
          completed,
        },
      ];
    }),
  );
}

/** The pool `search_worker`: searches that run beside the thread of their shards. None is refused. */
function workerPool(threads: readonly SearchThreadStats[]): ReturnType<ShardWork['pool']> {
  const sum = (of: (thread: SearchThreadStats) => number): number => threads.reduce((all, one) => all + of(one), 0);
  return {
    active: sum(({ active }) => active),
    queue: 0,
    largest: sum(({ largest }) => largest),
    completed: sum(({ completed }) => completed),
    rejected: 0,
  };
}

/** Section `threads`: processor time of each thread of the node by its name. */
const threadTimesSection = (): Record<string, unknown> =>
  Object.fromEntries([...timesByName()].map(([name, millis]) => [name, { cpu_time_in_millis: Math.round(millis) }]));

/** Section `shard_threads`, by the number of the thread; absent if there are none. */
function shardThreads(threads: readonly ShardThreadStats[]): Record<string, unknown> | undefined {
  if (threads.length === 0) return undefined;
  return Object.fromEntries(
    threads.map(({ thread, isRunning, active, starts, lost, busyMs }) => [
      thread,
      { running: isRunning, active, starts, ended_by_itself: lost, busy_time_in_millis: Math.round(busyMs) },
    ]),
  );
}

/** Section `search_threads`, by the number of the thread; absent if there are none. */
function searchThreads(threads: readonly SearchThreadStats[]): Record<string, unknown> | undefined {
  if (threads.length === 0) return undefined;
  return Object.fromEntries(
    threads.map(({ thread, isRunning, active, completed, failed, starts, lost, busyMs }) => [
      thread,
      {
        running: isRunning,
        active,
        completed,
        failed,
        starts,
        ended_by_itself: lost,
        busy_time_in_millis: Math.round(busyMs),
      },
    ]),
  );
}

function breakers(options: StatsOptions): Record<string, unknown> {
  const { used, limit, tripped } = options.inFlight();
  const request = options.requestMemory();
  const share = (part: number): number => Math.floor(options.memoryBytes * part);
  return {
    inflight_requests: breaker(limit, used, 2, tripped),
    request: breaker(options.requestBytesMax, request.used, 1, request.tripped),
    fielddata: breaker(share(0.4), 0, 1.03, 0),
    parent: breaker(options.limits.parent.limit, options.limits.parent.used, 1, options.limits.parent.tripped),
  };
}

function discoveryStats({ received, encoded, updates, applied }: CoordinationStatistics): Record<string, unknown> {
  const sizes = ({ count, bytes }: { count: number; bytes: number }) => ({
    count,
    uncompressed_size_in_bytes: bytes,
    compressed_size_in_bytes: bytes,
  });
  const times = (publishMs: number) => ({
    publication_time_millis: Math.round(publishMs),
    context_construction_time_millis: 0,
    commit_time_millis: 0,
    completion_time_millis: Math.round(publishMs),
    master_apply_time_millis: 0,
    notification_time_millis: 0,
  });
  return {
    cluster_state_queue: { total: 0, pending: 0, committed: 0 },
    published_cluster_states: {
      full_states: received.full,
      incompatible_diffs: received.unusable,
      compatible_diffs: received.diffs,
    },
    cluster_state_update: {
      unchanged: { count: updates.unchanged, computation_time_millis: 0, notification_time_millis: 0 },
      success: {
        count: updates.success,
        computation_time_millis: Math.round(updates.computeMs),
        ...times(updates.publishMs),
      },
      failure: { count: updates.failure, computation_time_millis: 0, ...times(0) },
    },
    serialized_cluster_states: { full_states: sizes(encoded.full), diffs: sizes(encoded.diffs) },
    cluster_applier_stats: {
      recordings: [
        {
          name: 'shards',
          cumulative_execution_count: applied.count,
          cumulative_execution_time_millis: Math.round(applied.ms),
        },
      ],
    },
  };
}

function adaptiveSelection(ranks: ReadonlyMap<string, NodeRank>): Record<string, unknown> {
  const nanos = (ms: number): number => Math.round(ms * 1e6);
  const entries = [...ranks].map(([nodeId, { outgoing, queue, serviceMs, responseMs, rank }]) => [
    nodeId,
    {
      outgoing_searches: outgoing,
      avg_queue_size: Math.round(queue),
      avg_service_time_ns: nanos(serviceMs),
      avg_response_time_ns: nanos(responseMs),
      rank: rank.toFixed(1),
    },
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function indexingPressure({ limits: { pressure } }: StatsOptions): Record<string, unknown> {
  const { coordinating, primary, replica, combined, limit } = pressure;
  const section = (part: 'current' | 'total') => ({
    combined_coordinating_and_primary_in_bytes: combined[part],
    coordinating_in_bytes: coordinating[part],
    primary_in_bytes: primary[part],
    replica_in_bytes: replica[part],
    all_in_bytes: combined[part] + replica[part],
  });
  const rejections = {
    coordinating_rejections: coordinating.rejections,
    primary_rejections: primary.rejections,
    replica_rejections: replica.rejections,
  };
  return {
    memory: { current: section('current'), total: { ...section('total'), ...rejections }, limit_in_bytes: limit },
  };
}
