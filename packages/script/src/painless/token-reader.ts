import type { Token } from './lexer.js';
import { type SyntaxFailure, syntaxError } from './syntax-error.js';
import type { Block, Expression } from './tree.js';

/** Levels of a script that may lie in one another. */
const LEVELS_MAX = 200;
/** Nodes of the tree of a script. */
const NODES_MAX = 10_000;

/** Rules of the grammar that lie in one another: an argument may be a lambda, whose body is a block. */
export interface Grammar {
  readonly expression: (reader: TokenReader) => Expression;
  readonly block: (reader: TokenReader) => Block;
}

/** The tokens of a script and the place of the parser among them. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  readonly grammar: Grammar;
  #place = 0;
  #levels = 0;
  #nodes = 0;

  constructor(tokens: readonly Token[], grammar: Grammar) {
    this.#tokens = tokens;
    this.grammar = grammar;
  }

  /** The token at the place, or one ahead of it. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#place + ahead, this.#tokens.length - 1)]!;
  }

  next(): Token {
    const token = this.peek();
    if (this.#place < this.#tokens.length - 1) this.#place++;
    return token;
  }

  /** Whether the token at the place (or `ahead` of it) is this mark or word. */
  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && (token.kind === 'mark' || token.kind === 'word');
  }

  /** Steps over the mark or word if it is there. */
  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  /** Steps over the mark or word; refuses any other token. */
  expect(text: string): Token {
    if (this.is(text)) return this.next();
    throw this.unexpected(`['${text}']`);
  }

  name(): Token {
    if (this.peek().kind === 'id' && this.peek().text !== '$') return this.next();
    throw this.unexpected('[ID]');
  }

  /** The failure of a token where only some others may stand, written as in `['(']`. */
  unexpected(expected: string): SyntaxFailure {
    const token = this.peek();
    if (token.kind === 'end') return this.#atEnd(token);
    return syntaxError(token.at, `unexpected token [${shown(token)}] was expecting one of ${expected}.`);
  }

  /** The failure of a token with which nothing begins. */
  noAlternative(token: Token = this.peek()): SyntaxFailure {
    if (token.kind === 'end') return this.#atEnd(token);
    return syntaxError(token.at, `invalid sequence of tokens near [${shown(token)}].`, 'no_viable_alt_exception');
  }

  #atEnd(token: Token): SyntaxFailure {
    return syntaxError(token.at, 'unexpected end of script.', 'no_viable_alt_exception');
  }

  /** Runs `parse` one level deeper, and counts a node. */
  deeper<T>(parse: () => T): T {
    if (++this.#levels > LEVELS_MAX)
      throw syntaxError(this.peek().at, `Scripts may be nested no deeper than [${LEVELS_MAX}] levels.`);
    if (++this.#nodes > NODES_MAX)
      throw syntaxError(this.peek().at, `Scripts may have no more than [${NODES_MAX}] nodes.`);
    const node = parse();
    this.#levels--;
    return node;
  }
}

function shown(token: Token): string {
  return token.kind === 'text' ? `"${token.text}"` : `'${token.text}'`;
}
