import type { FilterFactory } from '../component.js';
import type { Token } from '../token.js';

/** `unique`: keeps the first of equal tokens of the text, or with `only_on_same_position` of each position. */
export const unique: FilterFactory = {
  create(name, parameters) {
    const isLocal = parameters.boolean('only_on_same_position', false);
    const keyOf = (token: Token): string => (isLocal ? `${token.position} ${token.term}` : token.term);
    return {
      name,
      normalize: null,
      apply({ tokens, endPosition }) {
        const seen = new Set<string>();
        const kept: Token[] = [];
        let last = -1;
        // As in Lucene, the position increment of a removed token is lost: later tokens move forward.
        let shift = 0;
        for (const token of tokens) {
          const { position } = token;
          const key = keyOf(token);
          if (seen.has(key)) shift += position - last;
          else kept.push({ ...token, position: position - shift });
          seen.add(key);
          last = position;
        }
        return { tokens: kept, endPosition: endPosition - shift };
      },
    };
  },
};
