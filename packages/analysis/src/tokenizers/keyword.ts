import type { TokenizerFactory } from '../component.js';
import { newToken, type Tokenizer } from '../token.js';

/** The whole text as one token; none for an empty text. */
export function keywordTokenizer(name: string): Tokenizer {
  return {
    name,
    tokenize: (text) => ({
      tokens: text === '' ? [] : [newToken(text, 0, text.length, 0, 'word')],
      endPosition: text === '' ? 0 : 1,
    }),
  };
}

/** `keyword`: `buffer_size` is accepted and means nothing. */
export const keyword: TokenizerFactory = {
  create: (name) => keywordTokenizer(name),
};
