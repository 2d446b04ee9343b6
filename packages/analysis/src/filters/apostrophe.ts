import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

/** `apostrophe`: cuts at the first apostrophe. */
export const apostrophe: FilterFactory = {
  create: (name) => termFilter(name, (term) => term.split(/['\u2019]/, 1)[0] ?? ''),
};
