import type { TokenizerFactory } from '../component.js';
import { gramSizes, gramTokens, tokenChars } from './ngram.js';

/** `edge_ngram`: prefixes of each run of `token_chars`. */
export const edgeNgram: TokenizerFactory = {
  create(name, parameters) {
    const { min, max } = gramSizes(parameters);
    const isPart = tokenChars(parameters);
    return { name, tokenize: (text) => gramTokens(text, min, max, isPart, true) };
  },
};
