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
}
