import { ARRAY, type SearchSection } from '../section.js';

/**
 * `search_after`: sort values of the last hit of the page before; null: none. Shards check the values against their
 * fields.
 */
export const searchAfter: SearchSection<readonly unknown[] | null> = {
  keys: ['search_after'],
  tokens: ARRAY,
  absent: null,
  parse: (value) => value as readonly unknown[],
};
