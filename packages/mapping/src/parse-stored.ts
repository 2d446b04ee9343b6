import { isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { Mapping, MappingOptions } from './mapping-api.js';
import { parseMapping } from './parse-mapping.js';

type Json = Readonly<Record<string, unknown>>;

/** Parameters that mean something in an index of time series only. */
const OF_SERIES: readonly string[] = ['time_series_dimension', 'time_series_dimensions', 'time_series_metric'];

/**
 * Parses the mapping of an index that is there. Builds before this one took what a mapping may not have now, and no
 * shard of the index could be opened otherwise:
 * - Runtime fields of the type `lookup` without a target, composite ones without a script, with unknown parameters:
 *   such a field is left out, as if no document had it.
 * - Dimensions and metrics of time series that contradict other parameters or are too many, in indices of other modes:
 *   there they are left out, as they have no effect.
 *
 * Throws what else is wrong.
 */
export function parseStoredMapping(json: Json, options: MappingOptions): Mapping {
  try {
    return parseMapping(json, options);
  } catch (error) {
    if (!isApiError(error)) throw error;
    const reduced = withoutSeries(withUsableRuntime(json, options), options);
    if (reduced === json) throw error;
    return parseMapping(reduced, options);
  }
}

function withUsableRuntime(json: Json, options: MappingOptions): Json {
  const { runtime } = json;
  if (!isPlainObject(runtime)) return json;
  const usable = Object.entries(runtime).filter(([name, definition]) => isUsable(name, definition, options));
  return usable.length === Object.keys(runtime).length ? json : { ...json, runtime: Object.fromEntries(usable) };
}

function isUsable(name: string, definition: unknown, options: MappingOptions): boolean {
  try {
    parseMapping({ runtime: { [name]: definition } }, options);
    return true;
  } catch (error) {
    if (isApiError(error)) return false;
    throw error;
  }
}

function withoutSeries(json: Json, { timeSeries }: MappingOptions): Json {
  if (timeSeries !== undefined || !isPlainObject(json['properties'])) return json;
  return { ...json, properties: plainFields(json['properties']) };
}

/** Definitions of fields, and of those below them, without parameters of time series. */
function plainFields(definitions: Json): Json {
  const plain = Object.entries(definitions).map(([name, given]): [string, unknown] => {
    if (!isPlainObject(given)) return [name, given];
    const kept = Object.entries(given).filter(([key]) => !OF_SERIES.includes(key));
    const below = kept.map(([key, value]): [string, unknown] => {
      const hasFields = (key === 'properties' || key === 'fields') && isPlainObject(value);
      return [key, hasFields ? plainFields(value) : value];
    });
    return [name, Object.fromEntries(below)];
  });
  return Object.fromEntries(plain);
}
