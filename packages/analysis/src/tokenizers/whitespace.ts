import type { TokenizerFactory } from '../component.js';
import { isWhitespace } from '../unicode/characters.js';
import { charRunTokens } from './char-run.js';

/** `whitespace`: splits at white space; parameter `max_token_length` (255 by default). */
export const whitespace: TokenizerFactory = {
  create(name, parameters) {
    const maxLength = parameters.integer('max_token_length', 255);
    const isPart = (codePoint: number): boolean => !isWhitespace(codePoint);
    return { name, endsAtSpaces: true, tokenize: (text) => charRunTokens(text, isPart, maxLength) };
  },
};
