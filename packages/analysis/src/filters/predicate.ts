import type { FilterFactory } from '../component.js';
import { marks, scriptPredicate } from './token-script.js';

/** `predicate_token_filter`: keeps the tokens for which a script is true. */
export const predicate: FilterFactory = {
  needsSettings: true,
  create(name, parameters, context) {
    const open = scriptPredicate(name, parameters, context);
    return {
      name,
      normalize: null,
      apply(stream) {
        const keeps = marks(stream, open());
        return { ...stream, tokens: stream.tokens.filter((_, i) => keeps[i]) };
      },
    };
  },
};
