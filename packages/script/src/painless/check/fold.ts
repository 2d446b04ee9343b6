import { arithmeticOf } from '../../runtime/arithmetic.js';
import { SyntaxFailure } from '../syntax-error.js';
import type { Typed } from './typed.js';

type MathNode = Extract<Typed, { kind: 'math' }>;

/** Calculates arithmetic of two constants while compiling; null where an operand is none. */
export function foldMath(node: MathNode): Typed | null {
  const { left, right, operand, op, at } = node;
  if (left.kind !== 'constant' || right.kind !== 'constant' || operand === 'def') return null;
  const isZero = right.value === 0 && (op === '/' || op === '%') && (operand === 'int' || operand === 'long');
  if (isZero) throw new SyntaxFailure(at, 'arithmetic_exception', '/ by zero', null);
  const value = arithmeticOf(op, operand)(left.value as number, right.value as number);
  return { kind: 'constant', at, type: operand, value };
}
