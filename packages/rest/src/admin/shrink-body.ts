import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
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

/**
 * Replaces `max_primary_shard_size` in the body of `_shrink` with a number of shards, computed from the present size of
 * the primaries.
 */
export async function shrinkBody(
  body: Record<string, unknown>,
  source: string,
  services: Services,
): Promise<Record<string, unknown>> {
  const { max_primary_shard_size: size, ...rest } = body;
  if (size === undefined) return body;
  const bytesMax = parseByteSize(String(size), 'max_primary_shard_size');
  if (bytesMax <= 0) throw errors.illegalArgument('max_primary_shard_size must be greater than 0');
  const settings = isPlainObject(rest['settings']) ? rest['settings'] : {};
  const index = isPlainObject(settings['index']) ? settings['index'] : {};
  if (
    settings['index.number_of_shards'] !== undefined ||
    settings['number_of_shards'] !== undefined ||
    index['number_of_shards'] !== undefined
  ) {
    throw errors.illegalArgument(
      'Cannot set both index.number_of_shards and max_primary_shard_size for the target index',
    );
  }
  const meta = [...services.cluster.state().indices.values()].find(({ name }) => name === source);
  if (!meta) return rest;
  const { shards } = await broadcastStats(services, [meta]);
  const bytes = shards.filter((row) => row.primary).reduce((sum, row) => sum + row.stats.store.size_in_bytes, 0);
  return {
    ...rest,
    settings: { ...settings, 'index.number_of_shards': shrunkShards(meta.numberOfShards, bytes, bytesMax) },
  };
}
