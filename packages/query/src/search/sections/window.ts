import { errors } from '@shoal/errors';
import { integerOf } from '../numbers.js';
import { type SearchSection, VALUE } from '../section.js';

/** Default number of hits of a page. */
const SIZE_DEFAULT = 10;

/** `from`: number of hits before the page. */
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

/** `size`: number of hits of a page. */
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
