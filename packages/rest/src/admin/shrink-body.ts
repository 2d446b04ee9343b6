import { errors } from '@shoal/errors';
import { isPlainObject, type Json, mapField, readFields, textField } from '@shoal/json';
import { parseAliases } from '@shoal/state';
import { parseByteSize } from '@shoal/values';
import type { Services } from '../services.js';
import { broadcastStats } from './shard-stats.js';

/**
 * The smallest divisor of `shards` with which a target shard has at most `bytesMax` on average; `shards` itself if
 * there is none.
 */
export function shrunkShards(shards: number, bytes: number, bytesMax: number): number {
  const least = Math.min(shards, Math.max(1, Math.ceil(bytes / bytesMax)));
  for (let count = least; count < shards; count++) if (shards % count === 0) return count;
  return shards;
}

const FIELDS = {
  max_primary_shard_size: textField((text) => parseByteSize(text, 'max_primary_shard_size')),
  settings: mapField((json) => json),
  aliases: mapField((json) => {
    parseAliases(json);
    return json;
  }),
};

/** The body of `_shrink`, `_split` or `_clone`: what the new index gets, and the size of its shards at most. */
interface ResizeBody {
  readonly index: Json;
  readonly shardBytesMax: number | null;
}

/** Reads the body of `_shrink`, `_split` or `_clone`. Throws x_content_parse_exception. */
export function resizeBody(body: Json): ResizeBody {
  const { max_primary_shard_size: shardBytesMax = null } = readFields('resize_request', body, FIELDS);
  const { max_primary_shard_size: _, ...index } = body;
  return { index, shardBytesMax };
}

/** Returns the body with a number of shards for `shardBytesMax`, computed from the present size of the primaries. */
export async function shrunkBody(
  { index, shardBytesMax }: ResizeBody,
  source: string,
  services: Services,
): Promise<Json> {
  if (shardBytesMax === null) return index;
  if (shardBytesMax <= 0) throw errors.illegalArgument('max_primary_shard_size must be greater than 0');
  const settings = isPlainObject(index['settings']) ? index['settings'] : {};
  const ofIndex = isPlainObject(settings['index']) ? settings['index'] : {};
  if (
    settings['index.number_of_shards'] !== undefined ||
    settings['number_of_shards'] !== undefined ||
    ofIndex['number_of_shards'] !== undefined
  ) {
    throw errors.illegalArgument(
      'Cannot set both index.number_of_shards and max_primary_shard_size for the target index',
    );
  }
  const meta = [...services.cluster.state().indices.values()].find(({ name }) => name === source);
  if (!meta) return index;
  const { shards } = await broadcastStats(services, [meta]);
  const bytes = shards.filter((row) => row.primary).reduce((sum, row) => sum + row.stats.store.size_in_bytes, 0);
  return {
    ...index,
    settings: { ...settings, 'index.number_of_shards': shrunkShards(meta.numberOfShards, bytes, shardBytesMax) },
  };
}
