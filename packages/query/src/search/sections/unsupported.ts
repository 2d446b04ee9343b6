import { errors } from '@shoal/errors';
import { ARRAY, OBJECT, type SearchSection } from '../section.js';

/**
 * A section that would change the hits and is not offered: refused by name, not left out. Clients send empty ones,
 * which ask for nothing.
 */
function unsupported(key: string, tokens: number): SearchSection<null> {
  return {
    keys: [key],
    tokens,
    absent: null,
    parse: () => null,
    refuse: (value) => (Object.keys(value).length > 0 ? errors.illegalArgument(`[${key}] is not supported`) : null),
  };
}

/** `knn`. */
export const knn = unsupported('knn', OBJECT | ARRAY);

/** `rank`. */
export const rank = unsupported('rank', OBJECT);

/** `runtime_mappings`. */
export const runtimeMappings = unsupported('runtime_mappings', OBJECT);

/** `ext`. */
export const ext = unsupported('ext', OBJECT);
