import { numberOf } from '../numbers.js';
import { type SearchSection, VALUE } from '../section.js';

/** `min_score`: documents with a lower score do not match. A 32-bit float like scores; null: none. */
export const minScore: SearchSection<number | null> = {
  keys: ['min_score'],
  tokens: VALUE,
  absent: null,
  parse: (value) => Math.fround(numberOf(value)),
};
