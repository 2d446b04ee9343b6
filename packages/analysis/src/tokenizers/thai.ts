import type { TokenizerFactory } from '../component.js';
import { newToken, type Token } from '../token.js';

/** `thai`: splits words with `Intl.Segmenter`, which finds Thai words by a dictionary. */
export const thai: TokenizerFactory = {
  create(name) {
    const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
    return {
      name,
      tokenize(text) {
        const tokens: Token[] = [];
        for (const { segment, index, isWordLike } of segmenter.segment(text)) {
          if (isWordLike) tokens.push(newToken(segment, index, index + segment.length, tokens.length, 'word'));
        }
        return { tokens, endPosition: tokens.length };
      },
    };
  },
};
