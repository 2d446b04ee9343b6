import type { FilterFactory } from '../component.js';
import { expandingFilter } from '../token.js';

/** `keyword_repeat`: outputs each token twice, first as a keyword, which stemmers do not change. */
export const keywordRepeat: FilterFactory = {
  create: (name) =>
    expandingFilter(name, (token) => [
      { ...token, keyword: true },
      { ...token, keyword: false },
    ]),
};
