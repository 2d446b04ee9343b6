import type { TokenizerFactory } from '../component.js';
import { lowerCase } from '../unicode/case.js';
import { letter } from './letter.js';

/** `lowercase`: runs of letters, in lower case. */
export const lowercase: TokenizerFactory = {
  create(name, parameters, context) {
    const letters = letter.create(name, parameters, context);
    return {
      name,
      endsAtSpaces: true,
      tokenize(text) {
        const stream = letters.tokenize(text);
        for (const token of stream.tokens) token.term = lowerCase(token.term);
        return stream;
      },
    };
  },
};
