import { newToken, type Token, type TokenStream } from '../token.js';

/**
 * Splits a text into runs of code points for which `isPart` is true; runs longer than `maxLength` UTF-16 units are cut
 * into several tokens.
 */
export function charRunTokens(
  text: string,
  isPart: (codePoint: number) => boolean,
  maxLength: number,
  type = 'word',
): TokenStream {
  const tokens: Token[] = [];
  let start = -1;
  const close = (end: number): void => {
    if (start >= 0) tokens.push(newToken(text.slice(start, end), start, end, tokens.length, type));
    start = -1;
  };
  for (let i = 0; i < text.length; ) {
    const codePoint = text.codePointAt(i) ?? 0;
    const width = codePoint > 0xffff ? 2 : 1;
    if (!isPart(codePoint)) close(i);
    else if (start < 0) start = i;
    else if (i + width - start > maxLength) {
      close(i);
      start = i;
    }
    i += width;
  }
  close(text.length);
  return { tokens, endPosition: tokens.length };
}
