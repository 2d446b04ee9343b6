import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import { expandingFilter, type Token } from '../token.js';
import { lowerCase } from '../unicode/case.js';

/** Limits of the filter in UTF-16 units: length of a compound (`word`) and of its parts (`min`, `max`). */
interface Sizes {
  readonly word: number;
  readonly min: number;
  readonly max: number;
  readonly longestOnly: boolean;
}

function partsOf(token: Token, words: ReadonlySet<string>, sizes: Sizes): readonly Token[] {
  if (token.term.length < sizes.word) return [token];
  const lower = lowerCase(token.term);
  const parts: Token[] = [token];
  for (let from = 0; from + sizes.min <= lower.length; from++) {
    let longest: Token | null = null;
    for (let size = sizes.min; size <= sizes.max && from + size <= lower.length; size++) {
      if (!words.has(lower.slice(from, from + size))) continue;
      longest = { ...token, term: token.term.slice(from, from + size) };
      if (!sizes.longestOnly) parts.push(longest);
    }
    if (sizes.longestOnly && longest) parts.push(longest);
  }
  return parts;
}

/** `dictionary_decompounder`: adds the words of `word_list` that occur inside a token. */
export const dictionaryDecompounder: FilterFactory = {
  needsSettings: true,
  create(name, parameters) {
    const list = parameters.list('word_list');
    if (list === null)
      throw errors.illegalArgument(`word_list must be provided for [${name}], either as a path to a file, or directly`);
    const words = new Set(list.map(lowerCase));
    const sizes: Sizes = {
      word: parameters.integer('min_word_size', 5),
      min: parameters.integer('min_subword_size', 2),
      max: parameters.integer('max_subword_size', 15),
      longestOnly: parameters.boolean('only_longest_match', false),
    };
    return expandingFilter(name, (token) => partsOf(token, words, sizes));
  },
};
