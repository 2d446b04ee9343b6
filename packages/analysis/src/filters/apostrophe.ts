import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

/** `apostrophe`: removes the first apostrophe of a term and the text after it. */
export const apostrophe: FilterFactory = {
  create: (name) => termFilter(name, (term) => term.split(/['\u2019]/, 1)[0] ?? ''),
};
