/** Tokens of the classic query syntax. */
export type TokenKind =
  | 'EOF'
  | 'AND'
  | 'OR'
  | 'NOT'
  | 'PLUS'
  | 'MINUS'
  | 'BAREOPER'
  | 'LPAREN'
  | 'RPAREN'
  | 'COLON'
  | 'STAR'
  | 'CARAT'
  | 'QUOTED'
  | 'TERM'
  | 'FUZZY_SLOP'
  | 'PREFIXTERM'
  | 'WILDTERM'
  | 'REGEXPTERM'
  | 'RANGEIN_START'
  | 'RANGEEX_START'
  | 'NUMBER'
  | 'RANGE_TO'
  | 'RANGEIN_END'
  | 'RANGEEX_END'
  | 'RANGE_QUOTED'
  | 'RANGE_GOOP';

/** A token of a query. Offsets count UTF-16 units from 0. */
export interface Token {
  readonly kind: TokenKind;
  /** Text of the token as written. */
  readonly image: string;
  readonly start: number;
  readonly line: number;
  /** Column within the line, from 0. */
  readonly column: number;
}

/** Error of a text outside of the syntax; the message is Lucene's. */
export class QuerySyntaxError extends Error {}

/** Lucene's message for more clauses than allowed. */
export const TOO_MANY_CLAUSES = 'too many boolean clauses';

type LexerState = 'default' | 'boost' | 'range';
type Rule = readonly [kind: TokenKind, pattern: RegExp];

const START = String.raw`(?:[^ \t\n\r\u3000+\-!():^\[\]"{}~*?\\/]|\\[^])`;
const CHAR = String.raw`(?:[^ \t\n\r\u3000!():^\[\]"{}~*?\\/]|\\[^])`;
const rule = (kind: TokenKind, source: string): Rule => [kind, new RegExp(source, 'y')];

/** Lexical rules in the order of Lucene's grammar. The longest match wins; of equally long matches, the first rule. */
const RULES: Readonly<Record<LexerState, readonly Rule[]>> = {
  default: [
    rule('AND', 'AND|&&'),
    rule('OR', String.raw`OR|\|\|`),
    rule('NOT', 'NOT|!'),
    rule('PLUS', String.raw`\+`),
    rule('MINUS', '-'),
    rule('BAREOPER', String.raw`[+\-!][ \t\n\r\u3000]`),
    rule('LPAREN', String.raw`\(`),
    rule('RPAREN', String.raw`\)`),
    rule('COLON', ':'),
    rule('STAR', String.raw`\*`),
    rule('CARAT', String.raw`\^`),
    rule('QUOTED', String.raw`"(?:[^"\\]|\\[^])*"`),
    rule('TERM', `${START}${CHAR}*`),
    rule('FUZZY_SLOP', `~${CHAR}*`),
    rule('PREFIXTERM', String.raw`(?:${START}${CHAR}*)?\*`),
    rule('WILDTERM', `(?:${START}|[*?])(?:${CHAR}|[*?])*`),
    rule('REGEXPTERM', String.raw`/(?:[^/\\]|\\/|\\)*/`),
    rule('RANGEIN_START', String.raw`\[`),
    rule('RANGEEX_START', String.raw`\{`),
  ],
  boost: [rule('NUMBER', String.raw`[0-9]+(?:\.[0-9]+)?`)],
  range: [
    rule('RANGE_TO', 'TO'),
    rule('RANGEIN_END', String.raw`\]`),
    rule('RANGEEX_END', String.raw`\}`),
    rule('RANGE_QUOTED', String.raw`"(?:[^"\\]|\\")+"`),
    rule('RANGE_GOOP', String.raw`[^ \]}]+`),
  ],
};

const NEXT_STATE: Partial<Record<TokenKind, LexerState>> = {
  CARAT: 'boost',
  NUMBER: 'default',
  RANGEIN_START: 'range',
  RANGEEX_START: 'range',
  RANGEIN_END: 'default',
  RANGEEX_END: 'default',
};

/**
 * Returns all tokens of a query, `EOF` last. Throws QuerySyntaxError where no token fits, and for more than
 * `tokensMax`.
 */
export function tokenize(text: string, tokensMax: number): Token[] {
  const tokens: Token[] = [];
  const lines = new LineCount(text);
  let state: LexerState = 'default';
  let at = 0;
  for (;;) {
    if (state !== 'boost') at = skipBlanks(text, at);
    const token: Token | null = at < text.length ? longest(text, at, state, lines) : lines.place('EOF', '', at);
    if (!token) throw lexicalError(text, at, state);
    if (tokens.length >= tokensMax) throw new QuerySyntaxError(TOO_MANY_CLAUSES);
    tokens.push(token);
    if (token.kind === 'EOF') return tokens;
    at += token.image.length;
    state = NEXT_STATE[token.kind] ?? state;
  }
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r\u3000'.includes(text[at]!)) at++;
  return at;
}

function longest(text: string, at: number, state: LexerState, lines: LineCount): Token | null {
  let best = '';
  let bestKind: TokenKind | null = null;
  for (const [kind, pattern] of RULES[state]) {
    pattern.lastIndex = at;
    const image = pattern.exec(text)?.[0];
    if (image === undefined || image.length <= best.length) continue;
    best = image;
    bestKind = kind;
  }
  return bestKind === null ? null : lines.place(bestKind, best, at);
}

/** Lines of a text up to the token placed last. Tokens are placed in the order of the text. */
class LineCount {
  readonly #text: string;
  #line = 1;
  #lineStart = 0;
  #nextBreak: number;

  constructor(text: string) {
    this.#text = text;
    this.#nextBreak = text.indexOf('\n');
  }

  place(kind: TokenKind, image: string, start: number): Token {
    while (this.#nextBreak >= 0 && this.#nextBreak < start) {
      this.#line++;
      this.#lineStart = this.#nextBreak + 1;
      this.#nextBreak = this.#text.indexOf('\n', this.#lineStart);
    }
    return { kind, image, start, line: this.#line, column: start - this.#lineStart };
  }
}

function lexicalError(text: string, at: number, state: LexerState): QuerySyntaxError {
  const rest = text.slice(at);
  const isOpen = rest.startsWith('"') || rest.startsWith('/');
  const prefix = isOpen ? ` after prefix ${JSON.stringify(rest)}` : '';
  const where = state === 'default' ? ' (in lexical state 2)' : '';
  return new QuerySyntaxError(
    `Lexical error at line ${text.split('\n').length}, column ${text.length + 1}.  Encountered: <EOF>${prefix}${where}`,
  );
}
