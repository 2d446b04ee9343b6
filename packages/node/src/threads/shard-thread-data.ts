import type { FlatSettings } from '@shoal/state';

/** Start data of a shard thread (`workerData`). */
export interface ShardThreadData {
  readonly thread: number;
  readonly threads: number;
  /** How many threads of this process have held the shards of this number before, and ended. */
  readonly life: number;
  readonly nodeId: string;
  readonly session: string;
  readonly dataPath: string;
  /** Folders in which snapshot repositories may be. */
  readonly repositoryRoots: readonly string[];
  /** How object stores with repositories are reached (`sharedClients`). */
  readonly s3Clients: SharedArrayBuffer;
  /** Settings of the configuration that are about scripts, flat. */
  readonly scriptSettings: FlatSettings;
  readonly blockCacheBytes: number;
  /** Bytes on disk of files of snapshots that mounted copies read. */
  readonly snapshotCacheBytes: number;
  readonly indexBufferBytes: number;
  readonly requestBytesMax: number;
  /** Threads that search sealed segments beside the thread of the shards. */
  readonly searchThreads: number;
  /**
   * Shared memory with two doubles for each thread: bytes that searches hold, number of refusals of the breaker
   * `request`.
   */
  readonly requestMeters: SharedArrayBuffer;
}
