import { isPlainObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { numberOf } from '../numbers.js';
import { ARRAY, type SearchSection } from '../section.js';

/** A factor for the scores of the indices that a name or pattern matches. */
export type IndexBoost = readonly [pattern: string, boost: number];

/** `indices_boost`: for each index, the first matching pattern counts. */
export const indicesBoost: SearchSection<readonly IndexBoost[]> = {
  keys: ['indices_boost'],
  tokens: ARRAY,
  absent: [],
  parse: (value, { body, key }) =>
    (value as readonly unknown[]).flatMap((entry): IndexBoost[] => {
      if (isPlainObject(entry)) return Object.entries(entry).map(([pattern, boost]) => [pattern, numberOf(boost)]);
      throw errors.parsing(`Expected [START_OBJECT] in [indices_boost] but found [${tokenOf(entry)}]`, {
        location: { container: body, key },
      });
    }),
};
