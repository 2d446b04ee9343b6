import type { FilterFactory } from '../component.js';
import { newToken, type TokenFilter } from '../token.js';

/**
 * A filter that joins the distinct terms, sorted, to one token; if that exceeds `maxSize` UTF-16 units, there is no
 * token.
 */
export function fingerprintFilter(name: string, separator: string, maxSize: number): TokenFilter {
  return {
    name,
    normalize: null,
    apply({ tokens, endOffset }) {
      if (tokens.length === 0) return { tokens: [], endPosition: 0 };
      const terms = [...new Set(tokens.map(({ term }) => term))].sort();
      const joined = terms.join(separator);
      const end = endOffset ?? tokens.reduce((last, token) => Math.max(last, token.end), 0);
      if (joined.length > maxSize) return { tokens: [], endPosition: 0 };
      return { tokens: [newToken(joined, 0, end, 0, 'fingerprint')], endPosition: 1 };
    },
  };
}

/** `fingerprint`: parameters and defaults `separator` (a space), `max_output_size` 255. */
export const fingerprint: FilterFactory = {
  create: (name, parameters) =>
    fingerprintFilter(name, parameters.text('separator', ' '), parameters.integer('max_output_size', 255)),
};
