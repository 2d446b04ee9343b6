/** One token on its way through the filters. Filters own what they are given and may change it in place. */
export interface Token {
  term: string;
  /** UTF-16 units of the original text. */
  start: number;
  end: number;
  /** Absolute, from 0. */
  position: number;
  /** Positions that the token spans; more than 1 only in graphs. */
  span: number;
  type: string;
  /** Stemmers leave keywords alone. */
  keyword: boolean;
}

/** All tokens of one text, in order of position. */
export interface TokenStream {
  readonly tokens: Token[];
  /** Position after the last token, gaps at the end included. */
  readonly endPosition: number;
  /** Length of the text, in the offsets of the original; set before the first filter. */
  readonly endOffset?: number;
}

export interface Tokenizer {
  readonly name: string;
  tokenize(text: string): TokenStream;
  /**
   * Where it is cheaper: appends terms and positions from `position` on without token objects; returns the position
   * after the last.
   */
  appendTerms?(text: string, position: number, terms: string[], positions: number[]): number;
}

export interface TokenFilter {
  readonly name: string;
  apply(stream: TokenStream): TokenStream;
  /**
   * The effect on a whole value, for normalizers and for terms of wildcard and prefix queries; null where the filter
   * has none.
   */
  readonly normalize: ((text: string) => string) | null;
  /**
   * Where the filter looks at nothing but the term of a token that is no keyword: the new term, or null to remove it.
   */
  readonly onTerm?: (term: string) => string | null;
}

/** A text after a character filter. `correct` maps an offset in it to the offset in the original. */
export interface FilteredText {
  readonly text: string;
  correct(offset: number): number;
}

export interface CharFilter {
  readonly name: string;
  apply(text: string): FilteredText;
  /** Whether normalizers may use it. */
  readonly isNormalizing: boolean;
}

/** A token of its own from a part of another, or from a text. */
export function newToken(term: string, start: number, end: number, position: number, type: string): Token {
  return { term, start, end, position, span: 1, type, keyword: false };
}

/** A filter that changes the text of each token by itself; keywords are left alone if `sparesKeywords`. */
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

/** A filter that keeps some tokens and leaves gaps where it removes others. */
export function keepingFilter(name: string, keeps: (token: Token) => boolean): TokenFilter {
  const apply = (stream: TokenStream): TokenStream => ({ ...stream, tokens: stream.tokens.filter(keeps) });
  return { name, apply, normalize: null };
}

/** A filter that replaces each token by any number of tokens at its position. */
export function expandingFilter(name: string, expand: (token: Token) => readonly Token[]): TokenFilter {
  const apply = (stream: TokenStream): TokenStream => ({
    ...stream,
    tokens: stream.tokens.flatMap((token) => expand(token)),
  });
  return { name, apply, normalize: null };
}
