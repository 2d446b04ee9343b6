const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;
const PUNCTUATION = /^\p{P}$/u;
const SYMBOL = /^\p{S}$/u;
const SPACE = /^[\p{Z}\t\n\u000b\f\r\u001c-\u001f]$/u;

const NO_BREAK_SPACES = new Set([0xa0, 0x2007, 0x202f]);

/** Whether a code point is a letter, as Java's Character.isLetter. */
export function isLetter(codePoint: number): boolean {
  if (codePoint < 128) return (codePoint | 32) >= 97 && (codePoint | 32) <= 122;
  return LETTER.test(String.fromCodePoint(codePoint));
}

/** Whether a code point is a decimal digit, as Java's Character.isDigit. */
export function isDigit(codePoint: number): boolean {
  if (codePoint < 128) return codePoint >= 48 && codePoint <= 57;
  return DIGIT.test(String.fromCodePoint(codePoint));
}

/**
 * As Java's Character.isWhitespace: separators except non-breaking ones, and control characters that are white space.
 */
export function isWhitespace(codePoint: number): boolean {
  if (codePoint < 128)
    return codePoint === 32 || (codePoint >= 9 && codePoint <= 13) || (codePoint >= 28 && codePoint <= 31);
  return !NO_BREAK_SPACES.has(codePoint) && SPACE.test(String.fromCodePoint(codePoint));
}

/** Whether a code point is punctuation: general categories P*. */
export function isPunctuation(codePoint: number): boolean {
  return PUNCTUATION.test(String.fromCodePoint(codePoint));
}

/** Whether a code point is a symbol: general categories S*. */
export function isSymbol(codePoint: number): boolean {
  return SYMBOL.test(String.fromCodePoint(codePoint));
}
