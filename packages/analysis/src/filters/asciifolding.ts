import type { FilterFactory } from '../component.js';
import { expandingFilter, termFilter } from '../token.js';
import { foldToAscii } from '../unicode/ascii-folding.js';

/** `asciifolding`: letters without accents; `preserve_original` keeps the token beside its fold. */
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
