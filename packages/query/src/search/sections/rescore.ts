import { parseRescore, type Rescore } from '../../rescore.js';
import { ARRAY, OBJECT, type SearchSection } from '../section.js';

/** `rescore`: passes that rescore the best hits of a shard, in order. */
export const rescore: SearchSection<readonly Rescore[]> = {
  keys: ['rescore'],
  tokens: OBJECT | ARRAY,
  absent: [],
  parse: (value, { body, context }) => parseRescore(value, context, body),
  effects: () => ({ gathersMore: true }),
};
