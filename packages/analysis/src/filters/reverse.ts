import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

/** `reverse`: reverses the code points of each term. */
export const reverse: FilterFactory = { create: (name) => termFilter(name, (term) => [...term].reverse().join('')) };
