import { type ApiError, errors } from '@shoal/errors';
import { suggestNames } from '@shoal/values';
import type { SettingValue } from '../state.js';
import { INDEX_SETTING_PREFIXES, INDEX_SETTINGS, indexSetting } from './index-settings.js';
import type { FlatSettings } from './flat-settings.js';

const HINT =
  'please check that any required plugins are installed, or check the breaking changes documentation for removed ' +
  'settings';

/** Minimum similarity of a known name that an error suggests, 0 to 1. */
const SIMILARITY_MIN = 0.7;

function hasFreePrefix(name: string): boolean {
  return INDEX_SETTING_PREFIXES.some(([prefix]) => name.startsWith(prefix) && name.length > prefix.length);
}

function unknownSetting(name: string, candidates: Iterable<string>): ApiError {
  const similar = suggestNames(name, candidates, SIMILARITY_MIN);
  if (similar.length === 0) return errors.illegalArgument(`unknown setting [${name}] ${HINT}`);
  const hint = similar.length === 1 ? `did you mean [${similar[0]}]?` : `did you mean any of [${similar.join(', ')}]?`;
  return errors.illegalArgument(`unknown setting [${name}] ${hint}`);
}

function problemOf(name: string, value: SettingValue): ApiError | null {
  const definition = INDEX_SETTINGS.get(name);
  if (!definition) return hasFreePrefix(name) ? null : unknownSetting(name, INDEX_SETTINGS.keys());
  if (definition.property === 'private') return privateProblem(name);
  if (value === null) return null;
  try {
    definition.check(value, name);
    return null;
  } catch (error) {
    return error as ApiError;
  }
}

function privateProblem(name: string): ApiError {
  if (name === 'index.uuid' || name === 'index.provided_name')
    return errors.illegalArgument(`unknown setting [${name}] ${HINT}`);
  return errors.validation(`Validation Failed: 1: private index setting [${name}] can not be set explicitly;`);
}

/**
 * Throws the first problem, with the others as suppressed errors. Names are checked in reverse alphabetical order, as
 * Elasticsearch reports them.
 */
function throwAll(problems: readonly ApiError[]): void {
  const [first, ...others] = problems;
  if (!first) return;
  if (others.length > 0) first.suppressed = others;
  throw first;
}

/** Throws if flat index settings of a client have unknown names or invalid values. */
export function validateIndexSettings(flat: FlatSettings): void {
  const names = Object.keys(flat).sort().reverse();
  throwAll(names.flatMap((name) => problemOf(name, flat[name] ?? null) ?? []));
}

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

/** Whether an index setting may change while the index is open. */
export function isDynamicIndexSetting(name: string): boolean {
  const definition = INDEX_SETTINGS.get(name);
  if (definition) return definition.property === 'dynamic';
  return INDEX_SETTING_PREFIXES.some(([prefix, dynamic]) => dynamic && name.startsWith(prefix));
}

/** Returns the defaults of all settings that an index does not set, for `include_defaults`. */
export function indexDefaults(flat: FlatSettings): Record<string, SettingValue> {
  const missing = [...INDEX_SETTINGS.values()].filter(
    ({ name, fallback }) => fallback !== null && flat[name] === undefined,
  );
  return Object.fromEntries(missing.map(({ name, fallback }) => [name, fallback]));
}
