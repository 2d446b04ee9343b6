/** Start data of a search thread (`workerData`). */
export interface SearchThreadData {
  readonly thread: number;
  /** Bytes of its cache of blocks of segments, and of its other caches together. */
  readonly blockCacheBytes: number;
  /** Limit in bytes of the memory of the running searches of all threads together. */
  readonly requestBytesMax: number;
  /** Limit in bytes of the memory of its own running searches. */
  readonly ownRequestBytesMax: number;
  /** Old-space limit of its heap, in megabytes. */
  readonly heapMb: number;
  /** Shared memory in which threads count the bytes that their searches hold. */
  readonly requestMeters: SharedArrayBuffer;
  /** Place of the thread in the shared meters. */
  readonly meter: number;
}
