/** One token between the stages of an analyzer. A filter owns the tokens that it gets and may change them in place. */
export interface Token {
  term: string;
  /** Offsets in the original text, in UTF-16 units. */
  start: number;
  end: number;
  /** Absolute position, from 0. */
  position: number;
  /** Number of positions that the token spans (Lucene: position length); more than 1 only in graphs. */
  span: number;
  type: string;
  /** Whether the token is a keyword, which stemmers do not change. */
  keyword: boolean;
}

/** All tokens of one text, in order of position. */
export interface TokenStream {
  readonly tokens: Token[];
  /** Position after the last token, including gaps at the end. */
  readonly endPosition: number;
  /** Offset of the end of the original text; set before the first filter. */
  readonly endOffset?: number;
}

/** Splits a text into tokens. */
export interface Tokenizer {
  readonly name: string;
  /** Whether no token has a space or depends on what lies behind one. Absent: unknown. */
  readonly endsAtSpaces?: boolean;
  tokenize(text: string): TokenStream;
  /**
   * Optional fast path for indexing: appends terms and positions, counted from `position`, without token objects.
   * Returns the position after the last token.
   */
  appendTerms?(text: string, position: number, terms: string[], positions: number[]): number;
}

/** Changes, adds or removes tokens. */
export interface TokenFilter {
  readonly name: string;
  apply(stream: TokenStream): TokenStream;
  /**
   * Applies the filter to a whole value, for normalizers and for the terms of wildcard and prefix queries; null if the
   * filter does not apply to values.
   */
  readonly normalize: ((text: string) => string) | null;
  /**
   * Optional fast path of a filter that depends only on the term of a token that is no keyword: returns the new term,
   * or null to remove the token.
   */
  readonly onTerm?: (term: string) => string | null;
}

/** Text after a character filter. `correct` maps an offset in it to the offset in the text before the filter. */
export interface FilteredText {
  readonly text: string;
  correct(offset: number): number;
}

/** Changes a text before it is tokenized. */
export interface CharFilter {
  readonly name: string;
  apply(text: string): FilteredText;
  /** Whether normalizers may use the filter. */
  readonly isNormalizing: boolean;
}

/** A token that spans one position and is no keyword. */
export function newToken(term: string, start: number, end: number, position: number, type: string): Token {
  return { term, start, end, position, span: 1, type, keyword: false };
}

/** A filter that changes each term independently; it does not change keywords if `sparesKeywords`. */
export function termFilter(
  name: string,
  change: (term: string) => string,
  options: { readonly normalizes?: boolean; readonly sparesKeywords?: boolean } = {},
): TokenFilter {
  const { normalizes = false, sparesKeywords = false } = options;
  const apply = (stream: TokenStream): TokenStream => {
    for (const token of stream.tokens) {
      if (!sparesKeywords || !token.keyword) token.term = change(token.term);
    }
    return stream;
  };
  return { name, apply, normalize: normalizes ? change : null, onTerm: change };
}

/** A filter that removes the tokens for which `keeps` is false, and leaves gaps at their positions. */
export function keepingFilter(name: string, keeps: (token: Token) => boolean): TokenFilter {
  const apply = (stream: TokenStream): TokenStream => ({ ...stream, tokens: stream.tokens.filter(keeps) });
  return { name, apply, normalize: null };
}

/** A filter that replaces each token by the tokens that `expand` returns, at its position. */
export function expandingFilter(name: string, expand: (token: Token) => readonly Token[]): TokenFilter {
  const apply = (stream: TokenStream): TokenStream => ({
    ...stream,
    tokens: stream.tokens.flatMap((token) => expand(token)),
  });
  return { name, apply, normalize: null };
}
