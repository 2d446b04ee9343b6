/**
 * Returns the thread, 0 … `threads` - 1, that holds a shard. The result is the same on every thread. Consecutive shards
 * of an index go to consecutive threads; indices start at different threads.
 */
export function placeShard(indexUuid: string, shard: number, threads: number): number {
  let hash = 0;
  for (let i = 0; i < indexUuid.length; i++) hash = (Math.imul(hash, 31) + indexUuid.charCodeAt(i)) >>> 0;
  return (hash + shard) % threads;
}
