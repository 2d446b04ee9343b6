import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';
import { upperCase } from '../unicode/case.js';

/** `uppercase`: upper case; no parameters. */
export const uppercase: FilterFactory = {
  normalizes: true,
  create: (name) => termFilter(name, upperCase, { normalizes: true }),
};
