import type { FilterFactory } from '../component.js';

/** `flatten_graph`: makes every token span one position, because an index does not store spans. */
export const flattenGraph: FilterFactory = {
  create: (name) => ({
    name,
    normalize: null,
    apply({ tokens, endPosition }) {
      for (const token of tokens) token.span = 1;
      return { tokens, endPosition };
    },
  }),
};
