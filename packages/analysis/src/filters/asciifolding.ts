import type { FilterFactory } from '../component.js';
import { expandingFilter, termFilter } from '../token.js';
import { foldToAscii } from '../unicode/ascii-folding.js';

/** `asciifolding`: folds accented letters to ASCII; `preserve_original` also keeps the token itself. */
export const asciifolding: FilterFactory = {
  normalizes: true,
  create(name, parameters) {
    if (!parameters.boolean('preserve_original', false)) return termFilter(name, foldToAscii, { normalizes: true });
    return expandingFilter(name, (token) => {
      const folded = foldToAscii(token.term);
      return folded === token.term ? [token] : [{ ...token, term: folded }, token];
    });
  },
};
