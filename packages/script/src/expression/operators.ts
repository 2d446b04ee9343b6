import { type Computed, type Evaluate, ofDouble, ofFlag, ofLong } from './computed.js';

/** Strength of infix operators, weak to strong; `?:` is weaker than all. */
export const STRENGTH: ReadonlyMap<string, number> = new Map(
  [['||'], ['&&'], ['|'], ['^'], ['&'], ['==', '!='], ['<', '<=', '>', '>='], ['<<', '>>', '>>>'], ['+', '-']]
    .concat([['*', '/', '%']])
    .flatMap((group, i) => group.map((operator) => [operator, i + 1] as const)),
);

/** Strength of operators before their operand: above all others. */
export const UNARY_STRENGTH = 11;

const doubles =
  (apply: (a: number, b: number) => number) =>
  ({ double: a }: Computed, { double: b }: Computed): Computed =>
    ofDouble((values) => apply(a(values), b(values)));

const longs =
  (apply: (a: bigint, b: bigint) => bigint) =>
  ({ long: a }: Computed, { long: b }: Computed): Computed =>
    ofLong((values) => apply(a(values), b(values)));

const shifts =
  (apply: (a: bigint, by: bigint) => bigint) =>
  ({ long: a }: Computed, { int: by }: Computed): Computed =>
    ofLong((values) => BigInt.asIntN(64, apply(a(values), BigInt(by(values) & 63))));

const flags =
  (apply: (a: number, b: number) => boolean) =>
  ({ double: a }: Computed, { double: b }: Computed): Computed =>
    ofFlag((values) => apply(a(values), b(values)));

const INFIX: Readonly<Record<string, (a: Computed, b: Computed) => Computed>> = {
  '+': doubles((a, b) => a + b),
  '-': doubles((a, b) => a - b),
  '*': doubles((a, b) => a * b),
  '/': doubles((a, b) => a / b),
  '%': doubles((a, b) => a % b),
  '<<': shifts((a, by) => a << by),
  '>>': shifts((a, by) => a >> by),
  '>>>': shifts((a, by) => BigInt.asUintN(64, a) >> by),
  '&': longs((a, b) => a & b),
  '|': longs((a, b) => a | b),
  '^': longs((a, b) => a ^ b),
  '<': flags((a, b) => a < b),
  '<=': flags((a, b) => a <= b),
  '>': flags((a, b) => a > b),
  '>=': flags((a, b) => a >= b),
  '==': flags((a, b) => a === b),
  '!=': flags((a, b) => a !== b),
  '&&': ({ int: a }, { int: b }) => ofFlag((values) => a(values) !== 0 && b(values) !== 0),
  '||': ({ int: a }, { int: b }) => ofFlag((values) => a(values) !== 0 || b(values) !== 0),
};

/** Joins two parts by an operator of `STRENGTH`. */
export function infix(operator: string, left: Computed, right: Computed): Computed {
  return INFIX[operator]!(left, right);
}

/** Applies an operator that stands before its operand: `+`, `-`, `!` or `~`. */
export function prefix(operator: string, operand: Computed): Computed {
  const { double, long, int } = operand;
  if (operator === '-') return ofDouble((values) => -double(values));
  if (operator === '!') return ofFlag((values) => int(values) === 0);
  return operator === '~' ? ofLong((values) => ~long(values)) : operand;
}

/** Calls a function with its arguments. */
export function applied(called: (...values: number[]) => number, args: readonly Computed[]): Computed {
  const doubles: readonly Evaluate[] = args.map(({ double }) => double);
  return ofDouble((values) => called(...doubles.map((arg) => arg(values))));
}
