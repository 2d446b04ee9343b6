/**
 * The thread, 0 … `threads` - 1, that a shard lives on: the same on every thread without asking. Consecutive shards of
 * an index go to consecutive threads, indices start at different ones.
 */
export function placeShard(indexUuid: string, shard: number, threads: number): number {
  let hash = 0;
  for (let i = 0; i < indexUuid.length; i++) hash = (Math.imul(hash, 31) + indexUuid.charCodeAt(i)) >>> 0;
  return (hash + shard) % threads;
}
