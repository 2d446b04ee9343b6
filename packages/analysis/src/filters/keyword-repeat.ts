import type { FilterFactory } from '../component.js';
import { expandingFilter } from '../token.js';

/** `keyword_repeat`: each token twice, first as a keyword. */
export const keywordRepeat: FilterFactory = {
  create: (name) =>
    expandingFilter(name, (token) => [
      { ...token, keyword: true },
      { ...token, keyword: false },
    ]),
};
