import type { Slice } from '@shoal/query';

/** The part of a shard in a slice: all of it, none, or a slice of the shard. */
export type ShardPart = 'all' | 'none' | Slice;

/**
 * Returns the part of a slice in one of `shards` shards of an index: whole shards if there are at least as many shards
 * as slices, otherwise slices of each shard (Elasticsearch reference, "Paginate search results", sliced scroll).
 */
export function partOfShard(slice: Slice, shard: number, shards: number): ShardPart {
  if (shards === 1) return slice;
  if (slice.max <= shards) return shard % slice.max === slice.id ? 'all' : 'none';
  if (slice.id % shards !== shard) return 'none';
  const slicesOfShard = Math.floor(slice.max / shards) + (slice.max % shards > shard ? 1 : 0);
  return slicesOfShard === 1 ? 'all' : { id: Math.floor(slice.id / shards), max: slicesOfShard };
}
