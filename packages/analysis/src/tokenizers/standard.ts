import type { TokenizerFactory } from '../component.js';
import type { Token, Tokenizer } from '../token.js';
import { newTokenList } from '../token-list.js';
import { appendStandardTerms, standardTokens } from './standard.kernel.js';

const MAX_TOKEN_LENGTH = 255;

/** A tokenizer that splits words by the rules of UAX #29. */
export function standardTokenizer(name: string, maxTokenLength: number): Tokenizer {
  const list = newTokenList();
  return {
    name,
    endsAtSpaces: true,
    tokenize(text) {
      standardTokens(text, maxTokenLength, false, true, list);
      const tokens: Token[] = [];
      for (let i = 0; i < list.count; i++) {
        tokens.push({
          term: list.terms[i]!,
          start: list.startOffsets[i]!,
          end: list.endOffsets[i]!,
          position: i,
          span: 1,
          type: list.types[i]!,
          keyword: false,
        });
      }
      return { tokens, endPosition: list.count };
    },
    appendTerms: (text, position, terms, positions) =>
      appendStandardTerms(text, maxTokenLength, false, position, terms, positions),
  };
}

/** `standard`: words by UAX #29; parameter `max_token_length` (255 by default). */
export const standard: TokenizerFactory = {
  create: (name, parameters) => standardTokenizer(name, parameters.integer('max_token_length', MAX_TOKEN_LENGTH)),
};
