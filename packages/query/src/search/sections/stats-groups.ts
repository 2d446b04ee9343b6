import { ARRAY, type SearchSection } from '../section.js';

/** `stats`: groups in which the search is counted besides its index (`_stats/search?groups=`). */
export const groups: SearchSection<readonly string[]> = {
  keys: ['stats'],
  tokens: ARRAY,
  absent: [],
  parse: (value) => (value as readonly unknown[]).map(String),
};
