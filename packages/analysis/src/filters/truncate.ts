import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

/** `truncate`: keeps the first `length` (10 by default) UTF-16 units of a term. */
export const truncate: FilterFactory = {
  create(name, parameters) {
    const length = parameters.integer('length', 10);
    if (length <= 0) throw errors.illegalArgument('length parameter must be provided');
    return termFilter(name, (term) => term.slice(0, length), { sparesKeywords: true });
  },
};
