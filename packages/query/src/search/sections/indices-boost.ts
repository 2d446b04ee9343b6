import { isPlainObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { numberOf } from '../numbers.js';
import { ARRAY, type SearchSection } from '../section.js';

/** A factor for the scores of the indices that a name or pattern matches. */
export type IndexBoost = readonly [pattern: string, boost: number];

/** Limit on boosts: each is resolved by itself. */
const BOOSTS_MAX = 10_000;

function checkCount(list: readonly unknown[]): void {
  const count = list.reduce<number>((sum, entry) => sum + (isPlainObject(entry) ? Object.keys(entry).length : 1), 0);
  if (count > BOOSTS_MAX)
    throw errors.illegalArgument(
      `Trying to boost too many indices. Must be less than or equal to: [${BOOSTS_MAX}] but was [${count}]`,
    );
}

/** `indices_boost`: for each index, the first matching pattern counts. */
export const indicesBoost: SearchSection<readonly IndexBoost[]> = {
  keys: ['indices_boost'],
  tokens: ARRAY,
  absent: [],
  parse(value) {
    const list = value as readonly unknown[];
    checkCount(list);
    return list.flatMap((entry, i): IndexBoost[] => {
      if (isPlainObject(entry)) return Object.entries(entry).map(([pattern, boost]) => [pattern, numberOf(boost)]);
      throw errors.parsing(`Expected [START_OBJECT] in [null] but found [${tokenOf(entry)}]`, {
        location: { container: list, key: i },
      });
    });
  },
};
