import { isPlainObject, type JsonObject } from '@shoal/json';
import { OBJECT, type SearchSection } from '../section.js';

/**
 * `runtime_mappings`: runtime fields of this search by path, as they were written; null for none. Each shard parses
 * them with the options of its index.
 */
export const runtimeMappings: SearchSection<JsonObject | null> = {
  keys: ['runtime_mappings'],
  tokens: OBJECT,
  absent: null,
  parse: (value) => (isPlainObject(value) && Object.keys(value).length > 0 ? value : null),
};
