import { type Computed, conditional, type Evaluate, ofDouble, ofLong } from './computed.js';
import { FUNCTIONS } from './functions.js';
import { applied, infix, prefix, STRENGTH, UNARY_STRENGTH } from './operators.js';
import { ExpressionFault, placeOf, type Token, tokenAt } from './tokens.js';
import { asMethod, type Variable } from './variable.js';

/** A parsed expression. */
export interface Expression {
  readonly evaluate: Evaluate;
  readonly variables: readonly Variable[];
}

/** Expressions inside one another. */
const DEPTH_MAX = 200;
const LONG_MAX = 2n ** 63n - 1n;

/**
 * Parses an expression of Lucene's expressions module, a subset of JavaScript. Throws ExpressionFault, with Lucene's
 * words.
 */
export function parseExpression(source: string): Expression {
  const parser = new Parser(source);
  return { evaluate: parser.whole().double, variables: parser.variables };
}

class Parser {
  readonly #source: string;
  #token: Token;
  #depth = 0;
  /** The first call that is wrong: faults in the syntax come before it, wherever they are. */
  #callFault: ExpressionFault | null = null;
  readonly variables: Variable[] = [];

  constructor(source: string) {
    this.#source = source;
    this.#token = tokenAt(source, 0);
  }

  whole(): Computed {
    const computed = this.#ternary();
    if (this.#token.kind !== 'end') throw this.#unexpected('<EOF>');
    if (this.#callFault) throw this.#callFault;
    return computed;
  }

  #next(): Token {
    const token = this.#token;
    if (token.kind !== 'end') this.#token = tokenAt(this.#source, token.at + token.text.length);
    return token;
  }

  #isOperator(text: string): boolean {
    return this.#token.kind === 'operator' && this.#token.text === text;
  }

  #take(operator: string): boolean {
    const isThere = this.#isOperator(operator);
    if (isThere) this.#next();
    return isThere;
  }

  #expect(operator: string, shown: string): void {
    if (!this.#take(operator)) throw this.#unexpected(shown);
  }

  #unexpected(expected: string): ExpressionFault {
    const { text, at } = this.#token;
    const place = placeOf(this.#source, at);
    return new ExpressionFault(at, `unexpected token '${text}' ${place} was expecting one of ${expected}`);
  }

  /** No expression begins here. */
  #misplaced(): ExpressionFault {
    const { kind, text, at } = this.#token;
    if (kind === 'end') return new ExpressionFault(at, 'unexpected end of expression');
    return new ExpressionFault(at, `invalid sequence of tokens near '${text}' ${placeOf(this.#source, at)}`);
  }

  #nested<T>(parse: () => T): T {
    if (++this.#depth > DEPTH_MAX) throw this.#invalid(this.#token.at, `nested more than [${DEPTH_MAX}] deep.`);
    const parsed = parse();
    this.#depth--;
    return parsed;
  }

  #invalid(at: number, told: string): ExpressionFault {
    return new ExpressionFault(at, `Invalid expression '${this.#source}': ${told}`);
  }

  #ternary(): Computed {
    return this.#nested(() => {
      const condition = this.#infix(1);
      if (!this.#take('?')) return condition;
      const yes = this.#ternary();
      this.#expect(':', 'COLON');
      return conditional(condition, yes, this.#ternary());
    });
  }

  #infix(weakest: number): Computed {
    let left = this.#unary();
    for (;;) {
      const strength = this.#token.kind === 'operator' ? STRENGTH.get(this.#token.text) : undefined;
      if (strength === undefined || strength < weakest) return left;
      const { text } = this.#next();
      left = infix(text, left, this.#infix(strength + 1));
    }
  }

  #unary(): Computed {
    const { kind, text } = this.#token;
    if (kind !== 'operator' || !'+-!~'.includes(text)) return this.#primary();
    this.#next();
    return this.#nested(() => prefix(text, this.#infix(UNARY_STRENGTH)));
  }

  #primary(): Computed {
    if (this.#take('(')) {
      const inner = this.#ternary();
      this.#expect(')', 'RP');
      return inner;
    }
    const { kind } = this.#token;
    if (kind !== 'number' && kind !== 'variable') throw this.#misplaced();
    const { text, at, variable } = this.#next();
    if (variable === null) return this.#number(text, at);
    return this.#take('(') ? this.#call(variable, at) : this.#value(variable);
  }

  /** Numbers with another base than ten are longs. */
  #number(text: string, at: number): Computed {
    const isOctal = /^0[0-7]+$/.test(text);
    if (!isOctal && !/^0x/i.test(text)) {
      const value = Number(text);
      return ofDouble(() => value);
    }
    const value = BigInt(isOctal ? `0o${text.slice(1)}` : text);
    if (value > LONG_MAX) throw this.#invalid(at, `number [${text}] is out of the range of a long.`);
    return ofLong(() => value);
  }

  #arguments(): Computed[] {
    if (this.#take(')')) return [];
    if (!this.#beginsExpression()) throw this.#unexpected('RP');
    const args: Computed[] = [];
    do args.push(this.#ternary());
    while (this.#take(','));
    this.#expect(')', 'RP');
    return args;
  }

  #beginsExpression(): boolean {
    const { kind, text } = this.#token;
    return kind === 'number' || kind === 'variable' || (kind === 'operator' && '(+-!~'.includes(text));
  }

  #call(variable: Variable, at: number): Computed {
    const { text, parts } = variable;
    const args = this.#arguments();
    const called = FUNCTIONS.get(text);
    if (called === undefined && args.length === 0 && parts.length > 1) return this.#value(asMethod(variable));
    if (called?.length === args.length) return applied(called, args);
    const told = called
      ? `Expected (${called.length}) arguments for function call (${text}), but found (${args.length}).`
      : `Unrecognized function call (${text}).`;
    if (this.#callFault === null || at < this.#callFault.at) this.#callFault = this.#invalid(at, told);
    return ofDouble(() => Number.NaN);
  }

  #value(variable: Variable): Computed {
    const known = this.variables.findIndex(({ text }) => text === variable.text);
    const index = known < 0 ? this.variables.push(variable) - 1 : known;
    return ofDouble((values) => values[index]!);
  }
}
