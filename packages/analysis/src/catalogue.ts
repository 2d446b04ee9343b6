import type { CharFilterFactory, FilterFactory, TokenizerFactory } from './component.js';
import { lowercase } from './filters/lowercase.js';
import { stop } from './filters/stop.js';
import { uppercase } from './filters/uppercase.js';
import { keyword } from './tokenizers/keyword.js';
import { letter } from './tokenizers/letter.js';
import { lowercase as lowercaseTokenizer } from './tokenizers/lowercase.js';
import { standard } from './tokenizers/standard.js';
import { whitespace } from './tokenizers/whitespace.js';

/** Tokenizers by the `type` of their definition, which is also their built-in name. */
export const tokenizers: ReadonlyMap<string, TokenizerFactory> = new Map(
  Object.entries({ keyword, letter, lowercase: lowercaseTokenizer, standard, whitespace }),
);

/** Token filters by type and built-in name. */
export const filters: ReadonlyMap<string, FilterFactory> = new Map(Object.entries({ lowercase, stop, uppercase }));

/** Character filters by type and built-in name. */
export const charFilters: ReadonlyMap<string, CharFilterFactory> = new Map(Object.entries({}));
