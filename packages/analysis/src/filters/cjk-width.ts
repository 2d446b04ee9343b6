import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

const WIDE = /[\uff01-\uff5e\uff65-\uff9f]/;

/** Folds full-width ASCII to ASCII and half-width Katakana to Katakana. */
export function foldWidth(text: string): string {
  if (!WIDE.test(text)) return text;
  return text.replace(/[\uff01-\uff5e]|[\uff65-\uff9f]+/g, (part) => part.normalize('NFKC'));
}

/** `cjk_width`: see `foldWidth`. */
export const cjkWidth: FilterFactory = {
  normalizes: true,
  create: (name) => termFilter(name, foldWidth, { normalizes: true }),
};
