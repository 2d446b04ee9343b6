import type { FilterFactory } from '../component.js';

/** `flatten_graph`: spans of more than one position become one, so that the result can be indexed. */
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
