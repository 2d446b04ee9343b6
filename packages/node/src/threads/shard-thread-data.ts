/** What a shard thread is started with (`workerData`). */
export interface ShardThreadData {
  readonly thread: number;
  readonly threads: number;
  readonly nodeId: string;
  readonly session: string;
  readonly dataPath: string;
  readonly blockCacheBytes: number;
  readonly indexBufferBytes: number;
  readonly requestBytesMax: number;
  /** Two doubles for each thread: bytes that searches hold, times that it was too much. Shared memory. */
  readonly requestMeters: SharedArrayBuffer;
}
