import { errors } from '@shoal/errors';
import { parseTimeValue } from '@shoal/values';
import { integerOf } from '../numbers.js';
import { type SearchSection, VALUE } from '../section.js';

/** `terminate_after`: number of matches after which a shard stops; 0: never. */
export const terminateAfter: SearchSection<number> = {
  keys: ['terminate_after'],
  tokens: VALUE,
  absent: 0,
  parse(value) {
    const matches = integerOf(value);
    if (matches < 0) throw errors.illegalArgument('terminateAfter must be > 0');
    return matches;
  },
};

/** `timeout`: milliseconds after which a shard stops and answers with the hits so far; null (or -1): never. */
export const timeoutMs: SearchSection<number | null> = {
  keys: ['timeout'],
  tokens: VALUE,
  absent: null,
  parse: (value) => (Number(value) === -1 ? null : parseTimeValue(String(value), 'timeout')),
};
