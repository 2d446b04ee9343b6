import type { TokenizerFactory } from '../component.js';
import { newToken, type Tokenizer } from '../token.js';

/** A tokenizer that outputs the whole text as one token, also an empty one. */
export function keywordTokenizer(name: string): Tokenizer {
  return {
    name,
    tokenize: (text) => ({
      tokens: [newToken(text, 0, text.length, 0, 'word')],
      endPosition: 1,
    }),
  };
}

/** `keyword`: the whole text as one token; `buffer_size` has no effect. */
export const keyword: TokenizerFactory = {
  create: (name) => keywordTokenizer(name),
};
