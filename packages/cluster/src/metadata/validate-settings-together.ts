import { errors } from '@shoal/errors';
import { type FlatSettings, indexSetting, isTimeSeries, timeWindow } from '@shoal/state';

function routingShardsProblem(shards: number, routingShards: number): string | null {
  if (routingShards < shards)
    return `index.number_of_routing_shards [${routingShards}] must be >= index.number_of_shards [${shards}]`;
  if (routingShards % shards !== 0)
    return `the number of source shards [${shards}] must be a factor of [${routingShards}]`;
  return null;
}

/** Settings that an index of time series cannot have, in the order in which they are checked. */
const INCOMPATIBLE = [
  'index.routing_partition_size',
  'index.sort.field',
  'index.sort.order',
  'index.sort.mode',
  'index.sort.missing',
];

/** Checks the settings of an index of time series, and that others have none of its settings. */
function validateTimeSeries(flat: FlatSettings): void {
  const path = flat['index.routing_path'] ?? [];
  if (!isTimeSeries({ settings: flat })) {
    // A copy of an index of a version that took the mode and did nothing with it.
    if (String(flat['index.mode']).toLowerCase() === 'time_series') return;
    if (path.length > 0) throw errors.illegalArgument('[index.routing_path] requires [index.mode=time_series]');
    for (const name of ['start_time', 'end_time'])
      if (flat[`index.time_series.${name}`] !== undefined)
        throw errors.illegalArgument(`[index.time_series.${name}] requires [index.mode=time_series]`);
    return;
  }
  for (const name of INCOMPATIBLE)
    if (flat[name] !== undefined && !(name === 'index.routing_partition_size' && flat[name] === '1'))
      throw errors.illegalArgument(`[index.mode=time_series] is incompatible with [${name}]`);
  if (path.length === 0)
    throw errors.illegalArgument('[index.mode=time_series] requires a non-empty [index.routing_path]');
  const { startMs, endMs } = timeWindow(flat);
  if (endMs < startMs)
    throw errors.illegalArgument(
      `index.time_series.end_time must be larger than index.time_series.start_time but was [${endMs}]`,
    );
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
  validateTimeSeries(flat);
}
