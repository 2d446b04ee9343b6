import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

/** `reverse`: code points in reverse order. */
export const reverse: FilterFactory = { create: (name) => termFilter(name, (term) => [...term].reverse().join('')) };
