import { isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { Mapping, MappingOptions } from './mapping-api.js';
import { parseMapping } from './parse-mapping.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * Parses the mapping of an index that is there. Builds before this one took runtime fields that a mapping may not have
 * now: of the type `lookup` without a target, composite ones without a script, with unknown parameters. Such a field is
 * left out, as if no document had it; else no shard of the index could be opened. Throws what else is wrong.
 */
export function parseStoredMapping(json: Json, options: MappingOptions): Mapping {
  try {
    return parseMapping(json, options);
  } catch (error) {
    const { runtime } = json;
    if (!isApiError(error) || !isPlainObject(runtime)) throw error;
    const usable = Object.entries(runtime).filter(([name, definition]) => isUsable(name, definition, options));
    if (usable.length === Object.keys(runtime).length) throw error;
    return parseMapping({ ...json, runtime: Object.fromEntries(usable) }, options);
  }
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
