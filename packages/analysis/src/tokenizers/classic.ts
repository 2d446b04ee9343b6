import type { TokenizerFactory } from '../component.js';
import { newToken, type Token } from '../token.js';

/** Kinds of tokens of Lucene's ClassicTokenizer; at an offset the first kind that matches wins. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/[\p{L}\p{Nd}]+(?:[._-][\p{L}\p{Nd}]+)*@[\p{L}\p{Nd}]+(?:[.-][\p{L}\p{Nd}]+)+/uy, '<EMAIL>'],
  [/\p{L}+(?:['\u2019]\p{L}+)+/uy, '<APOSTROPHE>'],
  [/\p{L}\.(?:\p{L}\.)+/uy, '<ACRONYM>'],
  [/[\p{L}\p{Nd}]+(?:[&@]\p{L}[\p{L}\p{Nd}]*)/uy, '<COMPANY>'],
  [/[\p{L}\p{Nd}]+(?:\.[\p{L}\p{Nd}]+)+/uy, '<HOST>'],
  [/(?=[\p{L}_/,.-]{0,255}\p{Nd})[\p{L}\p{Nd}]+(?:[_/,.-][\p{L}\p{Nd}]*\p{Nd}[\p{L}\p{Nd}]*)+/uy, '<NUM>'],
  [/[\p{L}\p{Nd}]+/uy, '<ALPHANUM>'],
];

function matchAt(text: string, at: number): Token | null {
  for (const [expression, type] of KINDS) {
    expression.lastIndex = at;
    const term = expression.exec(text)?.[0];
    if (term !== undefined && term !== '') return newToken(term, at, at + term.length, 0, type);
  }
  return null;
}

/**
 * `classic`: words, acronyms, companies, mail addresses and host names. Tokens longer than `max_token_length` (255 by
 * default) are removed.
 */
export const classic: TokenizerFactory = {
  create(name, parameters) {
    const maxLength = parameters.integer('max_token_length', 255);
    return {
      name,
      tokenize(text) {
        const tokens: Token[] = [];
        let position = 0;
        for (let i = 0; i < text.length; ) {
          const token = matchAt(text, i);
          i = token ? token.end : i + 1;
          if (!token) continue;
          if (token.term.length <= maxLength) tokens.push({ ...token, position });
          position++;
        }
        return { tokens, endPosition: position };
      },
    };
  },
};
