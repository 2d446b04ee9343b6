import { errors } from '@shoal/errors';
import { OBJECT, type SearchSection } from '../section.js';

/**
 * Returns a section that is not supported and would change the hits: refused by name instead of being ignored. Empty
 * values, which clients send, are accepted.
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

/** `ext`. */
export const ext = unsupported('ext', OBJECT);
