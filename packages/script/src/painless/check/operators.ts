import { castError, SyntaxFailure, syntaxError } from '../syntax-error.js';
import type { BinaryOperator, Expression } from '../tree.js';
import { isNumeric, isPrimitive, OBJECT, promoteNumbers, STRING, type Type, unboxedOf } from '../types.js';
import { castTo } from './casts.js';
import type { Checker } from './checker.js';
import { foldMath } from './fold.js';
import { checkNumber } from './literals.js';
import type { Arithmetic, Comparison, Typed } from './typed.js';

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/** Names of the operators in errors, as Elasticsearch's enum Operation has them. */
export const OPERATION_NAMES: Readonly<Record<BinaryOperator, string>> = {
  '*': 'multiplication',
  '/': 'division',
  '%': 'remainder',
  '+': 'addition',
  '-': 'subtraction',
  '=~': 'find',
  '==~': 'match',
  '<<': 'left shift',
  '>>': 'right shift',
  '>>>': 'unsigned shift',
  '&': 'bitwise and',
  '^': 'bitwise xor',
  '|': 'boolean or',
  '&&': 'boolean and',
  '||': 'boolean or',
  '<': 'less than',
  '<=': 'less than or equals',
  '>': 'greater than',
  '>=': 'greater than or equals',
  '==': 'equals',
  '===': 'reference equals',
  '!=': 'not equals',
  '!==': 'reference not equals',
};

/** Returns the failure of an operator whose operands have types that it does not take. */
function refusedTypes(at: number, op: BinaryOperator, left: Type, right: Type): SyntaxFailure {
  return castError(
    at,
    `cannot apply the ${OPERATION_NAMES[op]} operator [${op}] to the types [${left}] and [${right}]`,
  );
}

/** Returns the type that both operands become: that of the number where only one of them is one. */
function promote(at: number, op: BinaryOperator, left: Typed, right: Typed, mayBeDecimal: boolean): Type {
  const [a, b] = [left.type, right.type];
  const both = promoteNumbers(a, b, mayBeDecimal);
  const type = both ?? promoteNumbers(a, a, mayBeDecimal) ?? promoteNumbers(b, b, mayBeDecimal);
  const isMixed = isNumeric(unboxedOf(a)) && isNumeric(unboxedOf(b));
  if (type === null) throw refusedTypes(at, op, a, b);
  if (both !== null || !isMixed) return type;
  // Bits of a number with a point and a whole one: the first would have to become whole.
  const isLeft = promoteNumbers(left.type, left.type, false) === null;
  throw castError((isLeft ? left : right).at, `Cannot cast from [${(isLeft ? left : right).type}] to [${type}].`);
}

export function checkBinary(node: Of<'binary'>, checker: Checker): Typed {
  switch (node.op) {
    case '&&':
    case '||': {
      const left = checker.checkAs(node.left, 'boolean');
      const right = checker.checkAs(node.right, 'boolean');
      return { kind: 'logic', at: node.at, type: 'boolean', op: node.op, left, right };
    }
    case '=~':
    case '==~':
      return checkRegexOperator(node, checker);
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '==':
    case '!=':
    case '===':
    case '!==':
      return checkComparison(node, node.op, checker);
    default:
      return binaryOf(node.at, node.op, checker.check(node.left), checker.check(node.right), checker);
  }
}

/** Builds arithmetic of two checked operands; `+` with a String joins texts. */
export function binaryOf(at: number, op: Arithmetic, left: Typed, right: Typed, checker: Checker): Typed {
  if (op === '+' && (left.type === STRING || right.type === STRING))
    return { kind: 'concat', at, type: STRING, left: textOperand(left, checker), right: textOperand(right, checker) };
  if (op === '<<' || op === '>>' || op === '>>>') return shiftOf(at, op, left, right, checker);
  const operand = typeOfMath(at, op, left, right);
  const math = {
    kind: 'math' as const,
    at,
    type: operand,
    op,
    operand,
    left: castTo(left, operand, checker),
    right: castTo(right, operand, checker),
  };
  return foldMath(math) ?? math;
}

function textOperand(operand: Typed, checker: Checker): Typed {
  if (operand.type === STRING || operand.type === 'char' || operand.type === 'null') return operand;
  return isPrimitive(operand.type) ? operand : castTo(operand, 'def', checker);
}

function typeOfMath(at: number, op: Arithmetic, left: Typed, right: Typed): Type {
  const isBits = op === '&' || op === '|' || op === '^';
  if (isBits && unboxedOf(left.type) === 'boolean' && unboxedOf(right.type) === 'boolean') return 'boolean';
  return promote(at, op, left, right, !isBits);
}

function shiftOf(at: number, op: '<<' | '>>' | '>>>', left: Typed, right: Typed, checker: Checker): Typed {
  const operand = promoteNumbers(left.type, left.type, false);
  const amount = promoteNumbers(right.type, right.type, false);
  if (operand === null || amount === null) throw refusedTypes(at, op, left.type, right.type);
  const by =
    amount === 'def' || operand === 'def'
      ? castTo(right, operand === 'def' ? 'def' : 'int', checker, { isExplicit: true })
      : castTo(castTo(right, amount, checker), 'int', checker, { isExplicit: true });
  const math = {
    kind: 'math' as const,
    at,
    type: operand,
    op,
    operand,
    left: castTo(left, operand, checker),
    right: by,
  };
  return foldMath(math) ?? math;
}

function checkComparison(node: Of<'binary'>, op: Comparison, checker: Checker): Typed {
  const left = checker.check(node.left);
  const right = checker.check(node.right);
  const operand =
    op.length === 1 || op === '<=' || op === '>=' ? typeOfOrder(node, left, right) : typeOfEquality(node, left, right);
  if (left.type === 'null' && right.type === 'null')
    throw syntaxError(node.at, 'extraneous comparison of [null] constants');
  return {
    kind: 'compare',
    at: node.at,
    type: 'boolean',
    op,
    operand,
    left: left.type === 'null' ? left : castTo(left, operand, checker, { isInternal: true }),
    right: right.type === 'null' ? right : castTo(right, operand, checker, { isInternal: true }),
  };
}

function typeOfOrder(node: Of<'binary'>, left: Typed, right: Typed): Type {
  const none = [left, right].find(({ type }) => type === 'null');
  const other = none === left ? right.type : left.type;
  if (none && isNumeric(other)) throw castError(none.at, `Cannot cast from [${OBJECT}] to [${other}].`);
  return promote(node.at, node.op, left, right, true);
}

function typeOfEquality(node: Of<'binary'>, left: Typed, right: Typed): Type {
  const a = left.type;
  const b = right.type;
  if (isPrimitive(a) && isPrimitive(b)) {
    if (a === 'boolean' && b === 'boolean') return 'boolean';
    return promote(node.at, node.op, left, right, true);
  }
  if (a === 'def' || b === 'def') return 'def';
  // Both would be objects, which primitive values do not become here.
  const primitive = [left, right].find(({ type }) => isPrimitive(type));
  if (primitive) throw castError(primitive.at, `Cannot cast from [${primitive.type}] to [${OBJECT}].`);
  return 'def';
}

function checkRegexOperator(node: Of<'binary'>, checker: Checker): Typed {
  const text = checker.checkAs(node.left, STRING);
  const pattern = checker.checkAs(node.right, 'java.util.regex.Pattern');
  const matcher = checker.registry.method('java.util.regex.Pattern', 'matcher', 1)!;
  const method = checker.registry.method('java.util.regex.Matcher', node.op === '=~' ? 'find' : 'matches', 0)!;
  const target: Typed = {
    kind: 'call',
    at: node.at,
    type: matcher.result,
    member: matcher,
    target: pattern,
    args: [text],
  };
  return { kind: 'call', at: node.at, type: 'boolean', member: method, target, args: [] };
}

export function checkUnary(node: Of<'unary'>, checker: Checker, expected: Type | null): Typed {
  if (node.op === '!')
    return { kind: 'not', at: node.at, type: 'boolean', operand: checker.checkAs(node.operand, 'boolean') };
  if (node.op === '-' && node.operand.kind === 'number')
    return { ...checkNumber(node.operand, true, expected), at: node.at };
  const operand = checker.check(node.operand);
  const type = unaryType(node, operand.type);
  const negate: Typed = { kind: 'negate', at: node.at, type, op: node.op, operand: castTo(operand, type, checker) };
  return negate;
}

function unaryType(node: Of<'unary'>, type: Type): Type {
  const promoted = isNumeric(unboxedOf(type)) || type === 'def' ? promoteNumbers(type, type, node.op !== '~') : null;
  if (promoted !== null) return promoted;
  const name = { '~': 'bitwise not', '-': 'subtraction', '+': 'addition', '!': 'boolean not' }[node.op];
  throw castError(node.at, `cannot apply the ${name} operator [${node.op}] to the type [${type}]`);
}
