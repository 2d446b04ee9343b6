import { errors } from '@shoal/errors';
import { integerOf } from '../numbers.js';
import { type SearchSection, VALUE } from '../section.js';

/** Hits of a page unless the body says otherwise. */
const SIZE_DEFAULT = 10;

/** `from`: where the page begins among all hits. */
export const from: SearchSection<number> = {
  keys: ['from'],
  tokens: VALUE,
  absent: 0,
  parse(value) {
    const first = integerOf(value);
    if (first < 0) throw errors.illegalArgument(`[from] parameter cannot be negative but was [${first}]`);
    return first;
  },
};

/** `size`: hits of a page. */
export const size: SearchSection<number> = {
  keys: ['size'],
  tokens: VALUE,
  absent: SIZE_DEFAULT,
  parse(value) {
    const hits = integerOf(value);
    if (hits < 0) throw errors.illegalArgument(`[size] parameter cannot be negative, found [${hits}]`);
    return hits;
  },
};
