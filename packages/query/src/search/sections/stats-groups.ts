import { errors } from '@shoal/errors';
import { tokenOf } from '@shoal/json';
import { ARRAY, type SearchSection } from '../section.js';

/** `stats`: groups in which the search is counted besides its index (`_stats/search?groups=`). */
export const groups: SearchSection<readonly string[]> = {
  keys: ['stats'],
  tokens: ARRAY,
  absent: [],
  parse: (value) => parseGroups(value as readonly unknown[]),
};

function parseGroups(names: readonly unknown[]): string[] {
  return names.map((name, key) => {
    if (typeof name === 'string') return name;
    throw errors.parsing(`Expected [VALUE_STRING] in [stats] but found [${tokenOf(name)}]`, {
      location: { container: names, key },
    });
  });
}
