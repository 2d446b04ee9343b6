import type { FilterFactory } from '../component.js';
import type { Token } from '../token.js';

/** `unique`: the first of equal tokens, of the whole text or (`only_on_same_position`) of one position. */
export const unique: FilterFactory = {
  create(name, parameters) {
    const isLocal = parameters.boolean('only_on_same_position', false);
    const keyOf = (token: Token): string => (isLocal ? `${token.position} ${token.term}` : token.term);
    return {
      name,
      normalize: null,
      apply({ tokens, endPosition }) {
        const seen = new Set<string>();
        const kept = tokens.filter((token) => !seen.has(keyOf(token)) && seen.add(keyOf(token)));
        return { tokens: kept, endPosition };
      },
    };
  },
};
