import type { TokenizerFactory } from '../component.js';
import { newToken, type Tokenizer } from '../token.js';

/** A tokenizer that outputs the whole text as one token; no token for an empty text. */
export function keywordTokenizer(name: string): Tokenizer {
  return {
    name,
    tokenize: (text) => ({
      tokens: text === '' ? [] : [newToken(text, 0, text.length, 0, 'word')],
      endPosition: text === '' ? 0 : 1,
    }),
  };
}

/** `keyword`: the whole text as one token; `buffer_size` has no effect. */
export const keyword: TokenizerFactory = {
  create: (name) => keywordTokenizer(name),
};
