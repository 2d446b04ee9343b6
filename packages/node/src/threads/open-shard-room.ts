import path from 'node:path';
import type { Channel, ChannelHandler, Clock, Files, KeyValueStores, Log, Random } from '@shoal/doors';
import { RequestBreaker, ShardRoom, type ViewLimits, ViewSearches, type ViewThread } from '@shoal/host';
import { type Compression, createCacheBudgets, type MergeRunner, openShard } from '@shoal/shard';
import {
  type Ballast,
  confinedFiles,
  createBlockCache,
  createUnassignedStores,
  FileCache,
  levelStores,
  nodeFiles,
  openBallast,
  openShardStore,
} from '@shoal/store';
import { followScripts } from '../doors/follow-scripts.js';
import { installScriptDoors } from '../doors/script-doors.js';
import { fairTurns, systemClock } from '../doors/system-clock.js';
import { systemRandom } from '../doors/system-random.js';
import { repositoryFiles, s3Files } from '../s3/s3-files.js';
import { sharedClients } from '../s3/shared-clients.js';
import { followedStores } from '../turns/followed-stores.js';
import { followedThread } from '../turns/followed-threads.js';
import { loopIsBusy } from './loop-is-busy.js';
import { createMergeWorker } from './merge-worker.js';
import { requestMeter } from './request-meters.js';
import { type SearchThreadStats, SearchWorker } from './search-worker.js';
import type { ShardThreadData } from './shard-thread-data.js';

const BALLAST_INTERVAL_MS = 30_000;

/** Creates the thread's ballast file without delaying the start. On a full disk there is none. */
function openLateBallast(data: ShardThreadData, files: Files): Ballast {
  const ballast = openBallast(files, data.dataPath, path.join(data.dataPath, `ballast-${data.thread}`)).catch(
    () => null,
  );
  const restore = async (): Promise<void> => (await ballast)?.restore().catch(() => undefined);
  setInterval(() => void restore(), BALLAST_INTERVAL_MS).unref();
  return { restore, drop: async () => (await ballast)?.drop() };
}

/** Effects of a thread's shards. */
export interface RoomDoors {
  readonly stores: KeyValueStores;
  readonly files: Files;
  /** Files of snapshot repositories; `files` when absent. */
  readonly repositoryFiles?: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Runs merges; if absent, they run between the thread's other work. */
  readonly mergeRunner?: MergeRunner;
  /** Threads that search sealed segments. */
  readonly viewThreads?: readonly ViewThread[];
  /** Figures of these threads. */
  readonly searchStats?: () => readonly SearchThreadStats[];
  /** From which length on searches go to them; a default if absent. */
  readonly viewLimits?: ViewLimits;
  /** Whether this thread has hardly any time to spare. */
  readonly isBusy?: () => boolean;
  readonly ballast?: Ballast;
  /** Compression of snapshots; that of the files of repositories if absent. */
  readonly compression?: Compression;
}

/** A search thread gets this share of the memory for blocks and for running searches. */
const SEARCH_THREAD_SHARE = 0.25;
/** Least and most megabytes of the old space of a search thread. */
const SEARCH_HEAP_MB = { min: 64, max: 1024 };

function searchWorkers(
  { searchThreads, requestMeters, requestBytesMax, ...data }: ShardThreadData,
  log: Log,
): SearchWorker[] {
  const part = (bytes: number): number => Math.floor((bytes * SEARCH_THREAD_SHARE) / Math.max(1, searchThreads));
  const ownRequestBytesMax = part(requestBytesMax);
  const { min, max } = SEARCH_HEAP_MB;
  const heapMb = Math.min(max, Math.max(min, Math.ceil((3 * ownRequestBytesMax) / 2 ** 20)));
  const blockCacheBytes = part(data.blockCacheBytes);
  const common = { requestMeters, blockCacheBytes, requestBytesMax, ownRequestBytesMax, heapMb };
  return Array.from(
    { length: searchThreads },
    (_, thread) => new SearchWorker({ ...common, thread, meter: data.threads + thread }, log),
  );
}

/** The system's effects, with a merge thread that `close` ends. */
export function systemRoomDoors(data: ShardThreadData, log: Log): RoomDoors & { close(): Promise<void> } {
  const files = nodeFiles();
  const mergeRunner = createMergeWorker();
  const viewThreads = searchWorkers(data, log);
  const stores = s3Files(sharedClients(data.s3Clients), { clock: systemClock, random: systemRandom });
  return {
    stores: followedStores(levelStores(), fairTurns.follow),
    files,
    repositoryFiles: repositoryFiles(confinedFiles(nodeFiles({ isShared: true }), data.repositoryRoots), stores),
    clock: systemClock,
    random: systemRandom,
    log,
    mergeRunner,
    viewThreads: viewThreads.map((thread) => followedThread(thread, fairTurns.follow)),
    searchStats: () => viewThreads.map((thread) => thread.stats()),
    isBusy: loopIsBusy(),
    ballast: openLateBallast(data, files),
    async close() {
      stores.close();
      await Promise.all([mergeRunner, ...viewThreads].map((thread) => thread.close()));
    },
  };
}

/** The opened shards of a thread. */
export interface OpenedRoom {
  readonly handle: ChannelHandler;
  /** Flushes and closes the shards. */
  close(): Promise<void>;
}

/** Lists the folders of the shard copies of `wanted` indices below `folder`: `<index uuid>/<shard>`. */
async function storedShards(
  files: Files,
  folder: string,
  wanted: (indexUuid: string) => boolean,
): Promise<{ indexUuid: string; shard: number }[]> {
  const found: { indexUuid: string; shard: number }[] = [];
  for (const indexUuid of await files.list(folder)) {
    if (!wanted(indexUuid)) continue;
    for (const name of await files.list(path.join(folder, indexUuid)))
      if (/^\d+$/.test(name)) found.push({ indexUuid, shard: Number(name) });
  }
  return found;
}

function viewSearches({ viewThreads, viewLimits, isBusy, log }: RoomDoors): ViewSearches | undefined {
  if (viewThreads === undefined || viewThreads.length === 0) return undefined;
  return new ViewSearches({ threads: viewThreads, isBusy: isBusy ?? (() => false), log, limits: viewLimits });
}

/** Returns the breaker of the searches of a thread; with search threads its limit is for all of them together. */
function requestBreaker(
  { requestBytesMax, requestMeters, thread }: ShardThreadData,
  isShared: boolean,
): RequestBreaker {
  const meter = requestMeter(requestMeters, thread);
  if (!isShared) return new RequestBreaker(requestBytesMax, meter);
  return new RequestBreaker(requestBytesMax, meter, {
    meters: new Float64Array(requestMeters),
    ownLimit: requestBytesMax,
  });
}

/** Memory in bytes that making a graph may take at least, however small the node's budget. */
const GRAPH_BYTES_LEAST = 32 * 1024 * 1024;

/** What search threads have of the memory for blocks is not used twice. */
const ownCacheBytes = (bytes: number, views: ViewSearches | undefined): number =>
  views === undefined ? bytes : Math.floor(bytes * (1 - SEARCH_THREAD_SHARE));

/** Opens the shards of the calling thread. `master` is the channel to the elected master. */
export function openShardRoom(data: ShardThreadData, master: Channel, room: RoomDoors): OpenedRoom {
  installScriptDoors(room.clock, room.random);
  const { stores, files, clock, log } = room;
  const views = viewSearches(room);
  const cacheBytes = ownCacheBytes(data.blockCacheBytes, views);
  const blockCache = createBlockCache(cacheBytes);
  const cacheBudgets = createCacheBudgets(Math.floor(cacheBytes / 3), cacheBytes);
  const fileCache = new FileCache(data.snapshotCacheBytes, String(data.thread));
  const shardPath = (indexUuid: string, shard: number): string =>
    path.join(data.dataPath, 'indices', indexUuid, String(shard));
  const unassignedStores = createUnassignedStores({ ...room, cache: blockCache });
  const doors = { ...room, blockCache, unassignedStores, otherHandles: views };
  const storeDoors = { ...room, cache: blockCache, unassignedStores };
  const shards = new ShardRoom({
    ...data,
    breaker: requestBreaker(data, views !== undefined),
    indexBufferBytes: Math.floor(data.indexBufferBytes / 2),
    clock,
    log,
    views,
    master,
    follow: followScripts(data.scriptSettings),
    open: (index, routing, metadata, onFailure, copy) =>
      openShard({
        ...doors,
        shard: routing.shard,
        primaryTerm: index.primaryTerms[routing.shard] ?? 1,
        metadata,
        path: shardPath(index.uuid, routing.shard),
        // Half of the budget: while a full buffer is written into a segment the next one fills.
        bufferBytesMax: Math.floor(data.indexBufferBytes / 2),
        cacheBudgets,
        graphs: { bytesMax: Math.max(GRAPH_BYTES_LEAST, cacheBytes) },
        onFailure,
        ...copy,
      }),
    openStore: (indexUuid, shard, identity, keeps) =>
      openShardStore({
        ...storeDoors,
        path: shardPath(indexUuid, shard),
        identity,
        isAlone: false,
        ...(keeps === null ? {} : { keeps }),
      }),
    mount: (indexUuid, shard) => ({
      repositoryFiles: room.repositoryFiles ?? files,
      compression: room.compression,
      files,
      path: shardPath(indexUuid, shard),
      cache: fileCache,
    }),
    repository: { files: room.repositoryFiles ?? files, compression: room.compression },
    storedInfo: (indexUuid, shard) => unassignedStores.inspect(shardPath(indexUuid, shard)),
    atRest: (indexUuid, shard) => unassignedStores.atRest(shardPath(indexUuid, shard)),
    storedShards: (wanted) => storedShards(files, path.join(data.dataPath, 'indices'), wanted),
    async destroy(indexUuid, shard) {
      await unassignedStores.drop(shardPath(indexUuid, shard));
      await stores.destroy(path.join(shardPath(indexUuid, shard), 'db'));
      await files.removeFolder(shardPath(indexUuid, shard));
      await files.removeEmptyFolder(path.dirname(shardPath(indexUuid, shard)));
    },
  });
  return {
    handle: shards.handle,
    async close() {
      await shards.close();
      await unassignedStores.close();
    },
  };
}
