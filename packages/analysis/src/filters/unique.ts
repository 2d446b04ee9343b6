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
        const kept: Token[] = [];
        let last = -1;
        // A dropped token takes its position increment with it, as in Lucene: what follows moves up.
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
