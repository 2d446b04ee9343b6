import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

/** `trim`: removes white space at both ends of a term; the offsets stay the same. */
export const trim: FilterFactory = {
  normalizes: true,
  create: (name) => termFilter(name, (term) => term.trim(), { normalizes: true }),
};
