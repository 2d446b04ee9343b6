import { type Expectation, unexpectedToken } from './expectations.js';
import { QuerySyntaxError, TOO_MANY_CLAUSES, type Token, type TokenKind, tokenize } from './lexer.js';

/** Syntax tree of a query in the classic syntax. `field` null means the default fields. */
export type SyntaxNode =
  /** Consecutive words without operators, escapes resolved; `words` counts them. */
  | { readonly kind: 'text'; readonly field: string | null; readonly text: string; readonly words: number }
  | { readonly kind: 'phrase'; readonly field: string | null; readonly text: string; readonly slop: string | null }
  /** A fuzzy term; `edits` is the text behind the tilde. */
  | { readonly kind: 'fuzzy'; readonly field: string | null; readonly text: string; readonly edits: string }
  /** A prefix, without its star. */
  | { readonly kind: 'prefix'; readonly field: string | null; readonly text: string }
  /** A wildcard pattern or regular expression, escapes kept. */
  | { readonly kind: 'wildcard' | 'regexp'; readonly field: string | null; readonly text: string }
  | {
      readonly kind: 'range';
      readonly field: string | null;
      readonly low: string | null;
      readonly high: string | null;
      readonly includeLow: boolean;
      readonly includeHigh: boolean;
    }
  | { readonly kind: 'clauses'; readonly clauses: readonly Clause[] }
  | { readonly kind: 'boost'; readonly boost: number; readonly node: SyntaxNode };

/** A part of a query with the operators before it: `AND` or `OR`, and `+` or `-` (`NOT`). */
export interface Clause {
  readonly conjunction: 'none' | 'and' | 'or';
  readonly modifier: 'none' | 'required' | 'prohibited';
  readonly node: SyntaxNode;
}

/** Limit on the depth of parentheses; deeper ones would exhaust the stack. */
const DEPTH_MAX = 500;
/** A clause may have an operator, a modifier, a field, parentheses and a boost. */
const TOKENS_A_CLAUSE = 4;
const CLAUSES_END: ReadonlySet<TokenKind> = new Set(['EOF', 'RPAREN', 'COLON', 'CARAT', 'FUZZY_SLOP']);

/**
 * Parses a query; throws QuerySyntaxError with Lucene's message, without the `Cannot parse '…': ` before it, also for
 * more than `clausesMax` clauses in all.
 */
export function parseSyntax(text: string, clausesMax = Infinity): SyntaxNode {
  const parser = new Parser(tokenize(text, clausesMax * TOKENS_A_CLAUSE), clausesMax);
  return parser.query();
}

/** Recursive descent over the classic grammar (Lucene's QueryParser.jj, with words not split on white space). */
class Parser {
  readonly #tokens: readonly Token[];
  readonly #clausesMax: number;
  #at = 0;
  #depth = 0;
  #clauseCount = 0;

  constructor(tokens: readonly Token[], clausesMax: number) {
    this.#tokens = tokens;
    this.#clausesMax = clausesMax;
  }

  query(): SyntaxNode {
    const node = this.#clauses(null);
    if (this.#peek().kind !== 'EOF') throw this.#unexpected('afterTerm');
    return node;
  }

  #peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  #take(...kinds: readonly TokenKind[]): Token | null {
    const token = this.#peek();
    if (!kinds.includes(token.kind)) return null;
    this.#at++;
    return token;
  }

  #expect(expectation: Expectation, ...kinds: readonly TokenKind[]): Token {
    const token = this.#take(...kinds);
    if (!token) throw this.#unexpected(expectation);
    return token;
  }

  #unexpected(expectation: Expectation): QuerySyntaxError {
    return new QuerySyntaxError(unexpectedToken(this.#peek(), expectation));
  }

  #clauses(field: string | null): SyntaxNode {
    const clauses: Clause[] = [this.#first(field)];
    while (!CLAUSES_END.has(this.#peek().kind)) {
      if (++this.#clauseCount >= this.#clausesMax) throw new QuerySyntaxError(TOO_MANY_CLAUSES);
      clauses.push(this.#next(field));
    }
    const [only] = clauses;
    return clauses.length === 1 && only!.modifier === 'none' ? only!.node : { kind: 'clauses', clauses };
  }

  #first(field: string | null): Clause {
    const words = this.#words(field);
    if (words) return { conjunction: 'none', modifier: 'none', node: words };
    return this.#modified('none', field, 'clause');
  }

  #next(field: string | null): Clause {
    const words = this.#words(field);
    if (words) return { conjunction: 'none', modifier: 'none', node: words };
    const operator = this.#take('AND', 'OR');
    const conjunction = operator === null ? 'none' : operator.kind === 'AND' ? 'and' : 'or';
    return this.#modified(conjunction, field, operator ? 'clauseAfterOperator' : 'afterTerm');
  }

  #modified(conjunction: Clause['conjunction'], field: string | null, expectation: Expectation): Clause {
    const token = this.#take('PLUS', 'MINUS', 'NOT');
    const modifier = token === null ? 'none' : token.kind === 'PLUS' ? 'required' : 'prohibited';
    return { conjunction, modifier, node: this.#clause(field, token ? 'clauseAfterModifier' : expectation) };
  }

  /** Parses two or more consecutive plain words. */
  #words(field: string | null): SyntaxNode | null {
    const words: string[] = [];
    while (this.#peek().kind === 'TERM' && this.#endsWord(this.#peek(1)))
      words.push(unescape(this.#tokens[this.#at++]!.image));
    if (words.length >= 2) return { kind: 'text', field, text: words.join(' '), words: words.length };
    this.#at -= words.length;
    return null;
  }

  #endsWord(token: Token): boolean {
    return !['FUZZY_SLOP', 'CARAT', 'AND', 'OR', 'COLON'].includes(token.kind);
  }

  #clause(field: string | null, expectation: Expectation): SyntaxNode {
    const inner = this.#fieldName() ?? field;
    if (!this.#take('LPAREN')) return this.#term(inner, expectation);
    if (++this.#depth > DEPTH_MAX) throw new QuerySyntaxError(TOO_MANY_CLAUSES);
    const node = this.#clauses(inner);
    this.#expect('insideParentheses', 'RPAREN');
    this.#depth--;
    return this.#boosted(node, this.#boost());
  }

  #fieldName(): string | null {
    const token = this.#peek();
    if ((token.kind !== 'TERM' && token.kind !== 'STAR') || this.#peek(1).kind !== 'COLON') return null;
    this.#at += 2;
    return token.kind === 'STAR' ? '*' : unescape(token.image);
  }

  #boost(): number | null {
    if (!this.#take('CARAT')) return null;
    return Number(this.#expect('number', 'NUMBER').image);
  }

  #boosted(node: SyntaxNode, boost: number | null): SyntaxNode {
    return boost === null ? node : { kind: 'boost', boost, node };
  }

  #term(field: string | null, expectation: Expectation): SyntaxNode {
    const token = this.#expect(
      expectation,
      'TERM',
      'STAR',
      'PREFIXTERM',
      'WILDTERM',
      'REGEXPTERM',
      'NUMBER',
      'BAREOPER',
      'QUOTED',
      'RANGEIN_START',
      'RANGEEX_START',
    );
    if (token.kind === 'RANGEIN_START' || token.kind === 'RANGEEX_START') return this.#range(token, field);
    const [boost, slop] = this.#suffixes();
    return this.#boosted(this.#bareTerm(token, field, slop), boost);
  }

  /** Parses `^2` and `~1` in either order. */
  #suffixes(): [boost: number | null, slop: string | null] {
    const before = this.#boost();
    const slop = this.#take('FUZZY_SLOP');
    const boost = before ?? this.#boost();
    return [boost, slop && slop.image.slice(1)];
  }

  #bareTerm({ kind, image }: Token, field: string | null, slop: string | null): SyntaxNode {
    if (kind === 'QUOTED') return { kind: 'phrase', field, text: unescape(image.slice(1, -1)), slop };
    if (kind === 'REGEXPTERM') return { kind: 'regexp', field, text: image.slice(1, -1).replaceAll('\\/', '/') };
    if (kind === 'PREFIXTERM') return { kind: 'prefix', field, text: unescape(image.slice(0, -1)) };
    if (kind === 'WILDTERM' || kind === 'STAR') return { kind: 'wildcard', field, text: image };
    if (slop !== null) return { kind: 'fuzzy', field, text: unescape(image), edits: slop };
    return { kind: 'text', field, text: unescape(kind === 'BAREOPER' ? image.slice(0, 1) : image), words: 1 };
  }

  #range(start: Token, field: string | null): SyntaxNode {
    const low = this.#expect('bound', 'RANGE_QUOTED', 'RANGE_GOOP', 'RANGE_TO');
    this.#take('RANGE_TO');
    if (this.#peek().kind === 'EOF') throw this.#unexpected('boundOrTo');
    const high = this.#expect('bound', 'RANGE_QUOTED', 'RANGE_GOOP', 'RANGE_TO');
    const end = this.#expect('rangeEnd', 'RANGEIN_END', 'RANGEEX_END');
    const node: SyntaxNode = {
      kind: 'range',
      field,
      low: bound(low),
      high: bound(high),
      includeLow: start.kind === 'RANGEIN_START',
      includeHigh: end.kind === 'RANGEIN_END',
    };
    return this.#boosted(node, this.#boost());
  }
}

/** Returns the text of a range bound; null for the open bound `*`. */
function bound({ kind, image }: Token): string | null {
  if (kind === 'RANGE_QUOTED') return unescape(image.slice(1, -1));
  return image === '*' ? null : unescape(image);
}

/** Resolves `\x` and `\uXXXX`; throws QuerySyntaxError for a broken one. */
export function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(u([0-9a-fA-F]{0,4})|[^]|$)/g, (_, escaped: string, hex: string | undefined) => {
    if (escaped === '') throw new QuerySyntaxError('Term can not end with escape character.');
    if (hex === undefined) return escaped;
    if (hex.length < 4) throw new QuerySyntaxError('Truncated unicode escape sequence.');
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
}

/** Escapes all characters that have a meaning in the syntax. */
export function escapeSyntax(text: string): string {
  return text.replace(/[\\+\-!():^[\]"{}~*?|&/]/g, '\\$&');
}
