import { parseSuggest, type SuggestRequest } from '../../suggest/suggest.js';
import { OBJECT, type SearchSection } from '../section.js';

/** `suggest`; null: none. Suggestions are terms of every shard, whatever the query matches. */
export const suggest: SearchSection<SuggestRequest | null> = {
  keys: ['suggest'],
  tokens: OBJECT,
  absent: null,
  parse: (value, { body }) => parseSuggest(value, body),
  effects: () => ({ gathersMore: true, needsAllShards: true }),
};
