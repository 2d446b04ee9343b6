import { castError, syntaxError } from '../syntax-error.js';
import type { Expression } from '../tree.js';
import { boxOf, elementOf, isPrimitive, OBJECT, STRING, type Type } from '../types.js';
import { checkAssignment, checkStep } from './assignments.js';
import { checkCall, checkMethod, checkNew } from './calls.js';
import { castTo } from './casts.js';
import type { CastOptions, Checker } from './checker.js';
import { checkNumber } from './literals.js';
import { checkIndex, checkMember, checkName } from './members.js';
import { checkBinary, checkUnary } from './operators.js';
import { checkRegex } from './regex.js';
import type { Typed } from './typed.js';

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/** Checks an expression by itself. `expected` is the type that its place asks for, as far as constants follow it. */
export function check(node: Expression, checker: Checker, expected: Type | null = null): Typed {
  const { at } = node;
  switch (node.kind) {
    case 'number':
      return checkNumber(node, false, expected);
    case 'text':
      return { kind: 'constant', at, type: STRING, value: node.value };
    case 'boolean':
      return { kind: 'constant', at, type: 'boolean', value: node.value };
    case 'null':
      return { kind: 'constant', at, type: 'null', value: null };
    case 'regex':
      return checkRegex(node);
    case 'list':
      return {
        kind: 'list',
        at,
        type: 'java.util.ArrayList',
        items: node.items.map((item) => checkAs(item, 'def', checker)),
      };
    case 'map':
      return checkMap(node, checker);
    case 'name':
      return checkName(node, checker);
    case 'call':
      return checkCall(node, checker);
    case 'new':
      return checkNew(node, checker);
    case 'newArray':
    case 'arrayOf':
      return checkArray(node, checker);
    case 'member':
      return checkMember(node, checker);
    case 'method':
      return checkMethod(node, checker);
    case 'index':
      return checkIndex(node, checker);
    case 'unary':
      return checkUnary(node, checker, expected);
    case 'step':
      return checkStep(node, checker);
    case 'binary':
      return checkBinary(node, checker);
    case 'conditional':
      return checkConditional(node, checker, null);
    case 'elvis':
      return checkElvis(node, checker, null);
    case 'assign':
      return checkAssignment(node, checker);
    case 'cast':
      return checkCast(node, checker);
    case 'instanceof':
      return checkInstanceof(node, checker);
  }
}

/** Checks an expression and converts it to a type. Branches of a conditional are converted each by itself. */
export function checkAs(node: Expression, type: Type, checker: Checker, options: CastOptions = {}): Typed {
  if (node.kind === 'conditional')
    return castTo(checkConditional(node, checker, type, options), type, checker, options);
  if (node.kind === 'elvis' && !isPrimitive(type))
    return castTo(checkElvis(node, checker, type), type, checker, options);
  return castTo(check(node, checker, type), type, checker, options);
}

function checkMap(node: Of<'map'>, checker: Checker): Typed {
  const entries = node.entries.map(
    ([key, value]) => [checkAs(key, 'def', checker), checkAs(value, 'def', checker)] as const,
  );
  return { kind: 'map', at: node.at, type: 'java.util.HashMap', entries };
}

function checkArray(node: Of<'newArray'> | Of<'arrayOf'>, checker: Checker): Typed {
  const type = checker.type({ ...node.type, at: node.at }, (name) => `Not a type [${name}].`);
  const element = elementOf(type)!;
  if (node.kind === 'arrayOf') {
    const items = node.items.map((item) => checkAs(item, element, checker, { isInternal: true }));
    return { kind: 'arrayOf', at: node.at, type, element, items };
  }
  return {
    kind: 'newArray',
    at: node.at,
    type,
    element,
    sizes: node.sizes.map((size) => checkAs(size, 'int', checker)),
  };
}

/** Returns the type that both branches of a conditional can have. */
function commonType(then: Typed, other: Typed, checker: Checker): Type {
  const a = then.type;
  const b = other.type;
  if (a === b) return a;
  if (a === 'null') return isPrimitive(b) ? 'def' : b;
  if (b === 'null') return isPrimitive(a) ? 'def' : a;
  if (a === 'def' || b === 'def') return 'def';
  if (isPrimitive(a) && isPrimitive(b) && a !== 'boolean' && b !== 'boolean')
    return ['double', 'float', 'long', 'int', 'char', 'short', 'byte'].find((type) => type === a || type === b)!;
  if (checker.registry.isSubclass(a, b)) return b;
  return checker.registry.isSubclass(b, a) ? a : OBJECT;
}

/** Primitive values do not become objects beside another class. */
function refuseMixed(...branches: readonly Typed[]): void {
  for (const { at, type } of branches)
    if (isPrimitive(type)) throw castError(at, `Cannot cast from [${type}] to [${OBJECT}].`);
}

function checkConditional(
  node: Of<'conditional'>,
  checker: Checker,
  wanted: Type | null,
  options: CastOptions = {},
): Typed {
  const test = checkAs(node.test, 'boolean', checker);
  if (wanted !== null && wanted !== 'void') {
    const whenTrue = checkAs(node.whenTrue, wanted, checker, { ...options, isInternal: true });
    const whenFalse = checkAs(node.whenFalse, wanted, checker, { ...options, isInternal: true });
    return { kind: 'conditional', at: node.at, type: wanted, test, whenTrue, whenFalse };
  }
  const then = check(node.whenTrue, checker);
  const other = check(node.whenFalse, checker);
  const type = commonType(then, other, checker);
  if (type === OBJECT) refuseMixed(then, other);
  return {
    kind: 'conditional',
    at: node.at,
    type,
    test,
    whenTrue: castTo(then, type, checker, { isInternal: true }),
    whenFalse: castTo(other, type, checker, { isInternal: true }),
  };
}

function checkElvis(node: Of<'elvis'>, checker: Checker, wanted: Type | null): Typed {
  const left = check(node.left, checker);
  const right = check(node.right, checker);
  if (left.type === 'null') throw syntaxError(node.at, 'Extraneous elvis operator. LHS is null.');
  if (left.kind === 'constant') throw syntaxError(node.at, 'Extraneous elvis operator. LHS is a constant.');
  if (isPrimitive(left.type)) throw syntaxError(node.at, 'Extraneous elvis operator. LHS is a primitive.');
  if (right.type === 'null') throw syntaxError(node.at, 'Extraneous elvis operator. RHS is null.');
  const type = wanted ?? commonType(left, right, checker);
  if (wanted === null && type === OBJECT) refuseMixed(left, right);
  const options = { isInternal: true };
  return {
    kind: 'elvis',
    at: node.at,
    type,
    left: castTo(left, type, checker, options),
    right: castTo(right, type, checker, options),
  };
}

function checkCast(node: Of<'cast'>, checker: Checker): Typed {
  const type = checker.type({ ...node.type, at: node.at }, (name) => `cannot resolve type [${name}]`);
  const cast = checkAs(node.operand, type, checker, { isExplicit: true });
  return { ...cast, at: node.at, ranAt: cast.ranAt ?? cast.at };
}

function checkInstanceof(node: Of<'instanceof'>, checker: Checker): Typed {
  const wanted = checker.type({ ...node.type, at: node.at }, (name) => `Not a type [${name}].`);
  const operand = castTo(check(node.operand, checker), 'def', checker);
  return { kind: 'instanceof', at: node.at, type: 'boolean', operand, wanted: boxOf(wanted) };
}
