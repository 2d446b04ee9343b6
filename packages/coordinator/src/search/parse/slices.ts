import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { bodyInteger } from './body-values.js';

/** A part of a search that is run as `max` independent ones. */
export interface Slice {
  readonly id: number;
  readonly max: number;
}

/** What of a shard belongs to a slice: all of it, none, or a slice of the shard. */
export type ShardPart = 'all' | 'none' | Slice;

/** Reads `slice` of a search body. */
export function parseSlice(body: Readonly<Record<string, unknown>>): Slice | null {
  const slice = body['slice'];
  if (!isPlainObject(slice)) return null;
  const id = bodyInteger(slice, 'id', -1);
  const max = bodyInteger(slice, 'max', -1);
  if (slice['field'] !== undefined && slice['field'] !== '_id')
    throw errors.illegalArgument(`[slice] is only supported on [_id], got [${String(slice['field'])}]`);
  if (id < 0) throw errors.illegalArgument('id must be greater than or equal to 0');
  if (max <= 1) throw errors.illegalArgument('max must be greater than 1');
  if (id >= max) throw errors.illegalArgument('max must be greater than id');
  return { id, max };
}

/**
 * The part of one of `shards` shards of an index: whole shards where there are enough of them, otherwise slices of each
 * (Elasticsearch reference, "Paginate search results", sliced scroll).
 */
export function partOfShard(slice: Slice, shard: number, shards: number): ShardPart {
  if (shards === 1) return slice;
  if (slice.max <= shards) return shard % slice.max === slice.id ? 'all' : 'none';
  if (slice.id % shards !== shard) return 'none';
  const slicesOfShard = Math.floor(slice.max / shards) + (slice.max % shards > shard ? 1 : 0);
  return slicesOfShard === 1 ? 'all' : { id: Math.floor(slice.id / shards), max: slicesOfShard };
}
