import { doubleToInt, doubleToLong } from '../runtime/longs.js';
import { FUNCTIONS } from './functions.js';
import { asMethod, readVariable, type Variable } from './variable.js';

/** Works an expression out from the values of its variables, in their order. All numbers are doubles. */
export type Evaluate = (values: Float64Array) => number;

/** A parsed expression. */
export interface Expression {
  readonly evaluate: Evaluate;
  readonly variables: readonly Variable[];
}

/** A fault in the text of an expression, at an offset. */
export class ExpressionFault extends Error {
  readonly at: number;

  constructor(source: string, at: number, told: string) {
    super(`Invalid expression '${source}': ${told}`);
    this.at = at;
  }
}

/** Expressions inside one another. */
const DEPTH_MAX = 200;
const SPACE = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/;
const NUMBER = /^(?:0[xX][0-9a-fA-F]+|0[0-7]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/;
const OPERATOR = /^(?:>>>|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&^|?:!~(),])/;

/** Strength of infix operators, weak to strong; `?:` is weaker than all. */
const STRENGTH: ReadonlyMap<string, number> = new Map(
  [['||'], ['&&'], ['|'], ['^'], ['&'], ['==', '!='], ['<', '<=', '>', '>='], ['<<', '>>', '>>>'], ['+', '-']]
    .concat([['*', '/', '%']])
    .flatMap((group, i) => group.map((operator) => [operator, i + 1] as const)),
);
const UNARY_STRENGTH = 11;

const whole = (value: number): bigint => BigInt(doubleToLong(value));
const flag = (value: boolean): number => (value ? 1 : 0);
const shift = (value: number): bigint => BigInt(doubleToInt(value) & 63);

/** Infix operators but `&&` and `||`, which may not need their right side. Bits are those of longs. */
const INFIX: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<<': (a, b) => Number(BigInt.asIntN(64, whole(a) << shift(b))),
  '>>': (a, b) => Number(whole(a) >> shift(b)),
  '>>>': (a, b) => Number(BigInt.asIntN(64, BigInt.asUintN(64, whole(a)) >> shift(b))),
  '&': (a, b) => Number(whole(a) & whole(b)),
  '|': (a, b) => Number(whole(a) | whole(b)),
  '^': (a, b) => Number(whole(a) ^ whole(b)),
  '<': (a, b) => flag(a < b),
  '<=': (a, b) => flag(a <= b),
  '>': (a, b) => flag(a > b),
  '>=': (a, b) => flag(a >= b),
  '==': (a, b) => flag(a === b),
  '!=': (a, b) => flag(a !== b),
};

/** Parses an expression of Lucene's expressions module, a subset of JavaScript. Throws ExpressionFault. */
export function parseExpression(source: string): Expression {
  const parser = new Parser(source);
  return { evaluate: parser.whole(), variables: parser.variables };
}

class Parser {
  readonly #source: string;
  #at = 0;
  #depth = 0;
  readonly variables: Variable[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  whole(): Evaluate {
    const evaluate = this.#ternary();
    this.#skip();
    if (this.#at < this.#source.length) throw this.#unexpected();
    return evaluate;
  }

  #rest(): string {
    return this.#source.slice(this.#at);
  }

  #skip(): void {
    this.#at += SPACE.exec(this.#rest())?.[0].length ?? 0;
  }

  #operator(): string | null {
    this.#skip();
    return OPERATOR.exec(this.#rest())?.[0] ?? null;
  }

  #take(operator: string): boolean {
    if (this.#operator() !== operator) return false;
    this.#at += operator.length;
    return true;
  }

  #expect(operator: string): void {
    if (!this.#take(operator)) throw this.#unexpected();
  }

  #unexpected(): ExpressionFault {
    const shown = this.#at >= this.#source.length ? '<EOF>' : (this.#operator() ?? this.#source[this.#at]!);
    const lines = this.#source.slice(0, this.#at).split('\n');
    const place = `on line (${lines.length}) position (${lines.at(-1)!.length})`;
    return new ExpressionFault(this.#source, this.#at, `Unexpected token '${shown}' ${place}.`);
  }

  #ternary(): Evaluate {
    if (++this.#depth > DEPTH_MAX)
      throw new ExpressionFault(this.#source, this.#at, `nested more than [${DEPTH_MAX}] deep.`);
    const condition = this.#infix(1);
    if (!this.#take('?')) {
      this.#depth--;
      return condition;
    }
    const yes = this.#ternary();
    this.#expect(':');
    const no = this.#ternary();
    this.#depth--;
    return (values) => (condition(values) !== 0 ? yes(values) : no(values));
  }

  #infix(weakest: number): Evaluate {
    let left = this.#unary();
    for (;;) {
      const operator = this.#operator();
      const strength = operator === null ? undefined : STRENGTH.get(operator);
      if (strength === undefined || strength < weakest) return left;
      this.#at += operator!.length;
      left = joined(operator!, left, this.#infix(strength + 1));
    }
  }

  #unary(): Evaluate {
    const operator = this.#operator();
    if (operator === null || !'+-!~'.includes(operator)) return this.#primary();
    if (++this.#depth > DEPTH_MAX)
      throw new ExpressionFault(this.#source, this.#at, `nested more than [${DEPTH_MAX}] deep.`);
    this.#at++;
    const operand = this.#infix(UNARY_STRENGTH);
    this.#depth--;
    if (operator === '-') return (values) => -operand(values);
    if (operator === '!') return (values) => flag(operand(values) === 0);
    return operator === '~' ? (values) => Number(~whole(operand(values))) : operand;
  }

  #primary(): Evaluate {
    if (this.#take('(')) {
      const inner = this.#ternary();
      this.#expect(')');
      return inner;
    }
    const number = NUMBER.exec(this.#rest())?.[0];
    if (number !== undefined) {
      this.#at += number.length;
      const value = /^0[0-7]+$/.test(number) ? Number.parseInt(number, 8) : Number(number);
      return () => value;
    }
    const read = readVariable(this.#rest());
    if (read === null) throw this.#unexpected();
    const at = this.#at;
    this.#at += read.length;
    return this.#take('(') ? this.#call(read.variable, at) : this.#value(read.variable);
  }

  #call(variable: Variable, at: number): Evaluate {
    const { text, parts } = variable;
    const args: Evaluate[] = [];
    if (!this.#take(')')) {
      do args.push(this.#ternary());
      while (this.#take(','));
      this.#expect(')');
    }
    const called = FUNCTIONS.get(text);
    if (called === undefined) {
      if (args.length === 0 && parts.length > 1) return this.#value(asMethod(variable));
      throw new ExpressionFault(this.#source, at, `Unrecognized function call (${text}).`);
    }
    if (args.length !== called.length)
      throw new ExpressionFault(
        this.#source,
        at,
        `Expected (${called.length}) arguments for function call (${text}), but found (${args.length}).`,
      );
    return (values) => called(...args.map((arg) => arg(values)));
  }

  #value(variable: Variable): Evaluate {
    const known = this.variables.findIndex(({ text }) => text === variable.text);
    const index = known < 0 ? this.variables.push(variable) - 1 : known;
    return (values) => values[index]!;
  }
}

function joined(operator: string, left: Evaluate, right: Evaluate): Evaluate {
  if (operator === '&&') return (values) => flag(left(values) !== 0 && right(values) !== 0);
  if (operator === '||') return (values) => flag(left(values) !== 0 || right(values) !== 0);
  const apply = INFIX[operator]!;
  return (values) => apply(left(values), right(values));
}
