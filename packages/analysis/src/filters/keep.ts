import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import { keepingFilter } from '../token.js';
import { lowerCase } from '../unicode/case.js';

/** `keep`: keeps only the words of `keep_words`. */
export const keep: FilterFactory = {
  needsSettings: true,
  create(name, parameters) {
    const words = parameters.list('keep_words');
    if (words === null)
      throw errors.illegalArgument('keep requires either `keep_words` or `keep_words_path` to be configured');
    const ignoresCase = parameters.boolean('keep_words_case', false);
    const known = new Set(ignoresCase ? words.map(lowerCase) : words);
    return keepingFilter(name, ({ term }) => known.has(ignoresCase ? lowerCase(term) : term));
  },
};
