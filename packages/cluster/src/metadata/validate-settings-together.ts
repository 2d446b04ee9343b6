import { errors } from '@shoal/errors';
import { type FlatSettings, indexSetting } from '@shoal/state';

function routingShardsProblem(shards: number, routingShards: number): string | null {
  if (routingShards < shards)
    return `index.number_of_routing_shards [${routingShards}] must be >= index.number_of_shards [${shards}]`;
  if (routingShards % shards !== 0)
    return `the number of source shards [${shards}] must be a factor of [${routingShards}]`;
  return null;
}

/** Checks rules between several settings of one index, after all of them are known. */
export function validateSettingsTogether(flat: FlatSettings): void {
  const shards = Number(indexSetting(flat, 'index.number_of_shards'));
  const routing = indexSetting(flat, 'index.number_of_routing_shards');
  const problem = routing === null ? null : routingShardsProblem(shards, Number(routing));
  if (problem) throw errors.illegalArgument(problem);
  if (flat['index.translog.retention.age'] !== undefined || flat['index.translog.retention.size'] !== undefined) {
    throw errors.illegalArgument(
      'Translog retention settings [index.translog.retention.age] and [index.translog.retention.size] are no ' +
        'longer supported. Please do not specify values for these settings',
    );
  }
  if (indexSetting(flat, 'index.soft_deletes.enabled') === 'false') {
    throw errors.illegalArgument(
      'Creating indices with soft-deletes disabled is no longer supported. Please do not specify a value for ' +
        'setting [index.soft_deletes.enabled].',
    );
  }
  if (
    String(indexSetting(flat, 'index.mode')).toLowerCase() === 'time_series' &&
    (indexSetting(flat, 'index.routing_path') ?? []).length === 0
  ) {
    throw errors.illegalArgument('[index.mode=time_series] requires a non-empty [index.routing_path]');
  }
}
