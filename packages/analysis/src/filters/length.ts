import type { FilterFactory } from '../component.js';
import { keepingFilter } from '../token.js';

/** `length`: keeps tokens of `min` (0 by default) to `max` UTF-16 units. */
export const length: FilterFactory = {
  create(name, parameters) {
    const min = parameters.integer('min', 0);
    const max = parameters.integer('max', 2147483647);
    return keepingFilter(name, ({ term }) => term.length >= min && term.length <= max);
  },
};
