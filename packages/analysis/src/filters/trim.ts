import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

/** `trim`: without white space at both ends; offsets stay. */
export const trim: FilterFactory = {
  normalizes: true,
  create: (name) => termFilter(name, (term) => term.trim(), { normalizes: true }),
};
