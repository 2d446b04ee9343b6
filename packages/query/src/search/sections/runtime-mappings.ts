import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { OBJECT, type SearchSection } from '../section.js';

/** Limit on runtime fields of a search: as many as an index may have fields (`index.mapping.total_fields.limit`). */
const FIELDS_MAX = 1000;

/**
 * `runtime_mappings`: runtime fields of this search by path, as they were written; null for none. Each shard parses
 * them with the options of its index.
 */
export const runtimeMappings: SearchSection<JsonObject | null> = {
  keys: ['runtime_mappings'],
  tokens: OBJECT,
  absent: null,
  parse(value) {
    const count = isPlainObject(value) ? Object.keys(value).length : 0;
    if (count > FIELDS_MAX)
      throw errors.illegalArgument(
        `Trying to define too many runtime fields. Must be less than or equal to: [${FIELDS_MAX}] but was [${count}]`,
      );
    return isPlainObject(value) && count > 0 ? value : null;
  },
};
