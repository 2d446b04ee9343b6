import type { FilterFactory } from '../component.js';

/** `limit`: keeps the first `max_token_count` (1 by default) tokens. */
export const limit: FilterFactory = {
  create(name, parameters) {
    const count = parameters.integer('max_token_count', 1);
    return {
      name,
      normalize: null,
      apply({ tokens }) {
        const kept = tokens.slice(0, count);
        return { tokens: kept, endPosition: (kept.at(-1)?.position ?? -1) + 1 };
      },
    };
  },
};
