import type { FilterFactory, Parameters } from '../component.js';
import { wordSet } from '../languages/stop-words.js';
import { keepingFilter, type TokenFilter } from '../token.js';
import { lowerCase } from '../unicode/case.js';

/** A filter that removes the words of a set and leaves gaps at their positions. */
export function stopFilter(name: string, words: ReadonlySet<string>, ignoreCase = false): TokenFilter {
  if (!ignoreCase) {
    return {
      ...keepingFilter(name, (token) => !words.has(token.term)),
      onTerm: (term) => (words.has(term) ? null : term),
    };
  }
  const lower = new Set([...words].map(lowerCase));
  return keepingFilter(name, (token) => !lower.has(lowerCase(token.term)));
}

/** Words of the parameter `stopwords`: a list whose entries may also be `_english_` and similar names, or `_none_`. */
export function stopWordsOf(parameters: Parameters, byDefault: readonly string[]): ReadonlySet<string> {
  return wordSet(parameters.list('stopwords') ?? byDefault);
}

/**
 * `stop`: removes `stopwords` (`_english_` by default), with `ignore_case` in any case. `remove_trailing` has no
 * effect.
 */
export const stop: FilterFactory = {
  create: (name, parameters) =>
    stopFilter(name, stopWordsOf(parameters, ['_english_']), parameters.boolean('ignore_case', false)),
};
