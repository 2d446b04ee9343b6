import { callSite, memberSite, setSite } from '../../runtime/dispatch.js';
import type { Typed } from '../check/typed.js';
import { isPrimitive, type Type } from '../types.js';
import { emitBox, emitCast, emitUnbox } from './casts.js';
import { mark } from './code.js';
import type { Emitter } from './emitter.js';

type Of<K extends Typed['kind']> = Extract<Typed, { kind: K }>;

/** Writes an expression as JavaScript; its text is one operand that needs no parentheses around it. */
export function emit(emitter: Emitter, node: Typed): string {
  const of = (inner: Typed): string => emit(emitter, inner);
  switch (node.kind) {
    case 'constant':
      return emitConstant(emitter, node);
    case 'object':
      return emitter.constant(node.value);
    case 'cell': {
      const read = { double: 'cellNumber', long: 'cellNumber', boolean: 'cellBoolean', date: 'cellDate' }[
        node.cell.kind
      ];
      return `${mark(node.at)}h.${read}(${emitter.constant(node.cell)})`;
    }
    case 'local':
      return `v${node.slot}`;
    case 'setLocal':
      if (node.slot === 0) emitter.setsParameters = true;
      return `(v${node.slot}=${of(node.value)})`;
    case 'temp':
      return emitter.temp(node.temp);
    case 'setTemp':
      return `(${emitter.temp(node.temp)}=${of(node.value)})`;
    case 'sequence':
      return `(${node.steps.map(of).join(',')})`;
    case 'math':
      return emitMath(emitter, node);
    case 'compare':
      return emitCompare(emitter, node);
    case 'negate':
      return emitNegate(emitter, node);
    case 'not':
      return `(!${of(node.operand)})`;
    case 'logic':
      return `(${of(node.left)}${node.op}${of(node.right)})`;
    case 'concat':
      return `${mark(node.at)}h.concat(${emitText(emitter, node.left)},${emitText(emitter, node.right)})`;
    case 'conditional':
      return `(${of(node.test)}?${of(node.whenTrue)}:${of(node.whenFalse)})`;
    case 'elvis':
      return `(${of(node.left)}??${of(node.right)})`;
    case 'nullSafe':
      return `((${emitter.temp(node.temp)}=${of(node.target)})===null?null:${of(node.inner)})`;
    case 'cast':
      return emitCast(emitter, node.ranAt ?? node.at, node.operand.type, node.type, of(node.operand), node.isExplicit);
    case 'instanceof':
      return `h.isInstance(${of(node.operand)},${emitter.constant(emitter.registry)},${emitter.constant(node.wanted)})`;
    case 'lambda':
      return emitLambda(emitter, node);
    case 'lambdaOf':
      return `h.bound(${emitter.constant(emitter.registry)},${of(node.target)},${emitter.constant(node.name)})`;
    case 'functionOf':
      return `h.adapt(f${node.place},${emitter.constant(node.declared)})`;
    default:
      return emitAccess(emitter, node);
  }
}

type Access = Of<
  | 'call'
  | 'defCall'
  | 'functionCall'
  | 'getMember'
  | 'setMember'
  | 'getIndex'
  | 'setIndex'
  | 'arrayLength'
  | 'newArray'
  | 'arrayOf'
  | 'list'
  | 'map'
>;

/** Writes calls, members, elements and collections. */
function emitAccess(emitter: Emitter, node: Access): string {
  const of = (inner: Typed): string => emit(emitter, inner);
  const all = (nodes: readonly Typed[]): string => nodes.map(of).join(',');
  const at = mark(node.at);
  switch (node.kind) {
    case 'call':
      return emitCall(emitter, node);
    case 'defCall': {
      const site = emitter.constant(callSite(emitter.registry, node.name, node.args.length));
      return `${at}${site}(${all([node.target, ...node.args])})`;
    }
    case 'functionCall':
      return `${at}f${node.place}(${all(node.args)})`;
    case 'getMember':
      return `${at}${emitter.constant(memberSite(emitter.registry, node.name))}(${of(node.target)})`;
    case 'setMember':
      return `${at}${emitter.constant(setSite(emitter.registry, node.name))}(${of(node.target)},${of(node.value)})`;
    case 'getIndex':
      return emitGetIndex(emitter, node);
    case 'setIndex':
      return emitSetIndex(emitter, node);
    case 'arrayLength':
      return `${at}h.arrayLength(${of(node.target)})`;
    case 'newArray':
      return `${at}h.newArray(${emitter.constant(node.element)},[${all(node.sizes)}])`;
    case 'arrayOf':
      return `h.arrayOf(${emitter.constant(node.element)},[${all(node.items)}])`;
    case 'list':
      return `h.list([${all(node.items)}])`;
    case 'map':
      return `h.map([${all(node.entries.flat())}])`;
  }
}

function emitConstant(emitter: Emitter, { value }: Of<'constant'>): string {
  switch (typeof value) {
    case 'number':
      if (Number.isNaN(value) || !Number.isFinite(value)) return emitter.constant(value);
      return value < 0 || Object.is(value, -0) ? `(-${-value})` : String(value);
    case 'bigint':
      return `(${value}n)`;
    case 'string':
      return emitter.constant(value);
    default:
      return String(value);
  }
}

const LONG_NAMES: Readonly<Record<string, string>> = {
  '+': 'addLong',
  '-': 'subtractLong',
  '*': 'multiplyLong',
  '/': 'divideLong',
  '%': 'remainderLong',
  '<<': 'shiftLeftLong',
  '>>': 'shiftRightLong',
  '>>>': 'shiftRightUnsignedLong',
  '&': 'andLong',
  '|': 'orLong',
  '^': 'xorLong',
};

/** Operators on `def` with helpers of their own. */
const DEF_NAMES: Readonly<Record<string, string>> = {
  '+': 'defAdd',
  '-': 'defSubtract',
  '*': 'defMultiply',
  '/': 'defDivide',
};

/** Operators on a value of `def` and an unboxed double. */
const DOUBLE_NAMES: Readonly<Record<string, string>> = { '+': 'Add', '-': 'Subtract', '*': 'Multiply' };

const isDouble = (node: Typed): boolean =>
  node.kind === 'cast' && node.type === 'def' && node.operand.type === 'double';

/** Writes arithmetic on `def` of which one side is an unboxed double; that of two is left to the other helpers. */
function emitMathBeside(emitter: Emitter, { at, op, left, right }: Of<'math'>, name: string): string {
  const [a, b] = [left, right].map((side) =>
    emit(emitter, isDouble(side) && side.kind === 'cast' ? side.operand : side),
  );
  if (isDouble(left) && isDouble(right)) return `${mark(at)}h.${DEF_NAMES[op]!}(h.boxDouble(${a}),h.boxDouble(${b}))`;
  if (isDouble(left)) return `${mark(at)}h.double${name}(${a},${b})`;
  return `${mark(at)}h.${name.toLowerCase()}Double(${a},${b})`;
}

/** Whether one side of arithmetic on `def` is an unboxed double. */
const isBeside = ({ op, operand, left, right }: Of<'math'>): boolean =>
  operand === 'def' && op in DOUBLE_NAMES && (isDouble(left) || isDouble(right));

// Each operand is written once: to write it for one form and then for another doubles the work at each level.
function emitMath(emitter: Emitter, node: Of<'math'>): string {
  const { op } = node;
  if (isBeside(node)) return emitMathBeside(emitter, node, DOUBLE_NAMES[op]!);
  const a = emit(emitter, node.left);
  const b = emit(emitter, node.right);
  switch (node.operand) {
    case 'int':
      return emitIntMath(node, a, b);
    case 'long':
      return `${mark(node.at)}h.${LONG_NAMES[op]!}(${a},${b})`;
    case 'float':
      return `Math.fround(${a}${op}${b})`;
    case 'double':
      return `(${a}${op}${b})`;
    case 'boolean':
      return op === '^' ? `(${a}!==${b})` : `(!!(${a}${op}${b}))`;
    default:
      return op in DEF_NAMES
        ? `${mark(node.at)}h.${DEF_NAMES[op]!}(${a},${b})`
        : `${mark(node.at)}h.defMath(${emitter.constant(op)},${a},${b})`;
  }
}

function emitIntMath(node: Of<'math'>, a: string, b: string): string {
  const { op, right } = node;
  switch (op) {
    case '*':
      return `Math.imul(${a},${b})`;
    case '/':
    case '%':
      if (right.kind === 'constant' && right.value !== 0) return `((${a}${op}${b})|0)`;
      return `${mark(node.at)}h.${op === '/' ? 'divideInt' : 'remainderInt'}(${a},${b})`;
    case '<<':
    case '>>':
    case '&':
    case '|':
    case '^':
      return `(${a}${op}${b})`;
    default:
      return `((${a}${op}${b})|0)`;
  }
}

const ORDERS: Readonly<Record<string, string>> = {
  '<': 'less',
  '<=': 'lessEqual',
  '>': 'greater',
  '>=': 'greaterEqual',
};

const BOXES: Readonly<Record<string, string>> = { int: 'h.boxInt', long: 'h.boxLong', double: 'h.boxDouble' };

/** Returns the unboxed number that a value of `def` is made of, and what boxes it; null if it is made of none. */
function unboxedNumber(node: Typed): { readonly value: Typed; readonly box: string } | null {
  if (node.kind !== 'cast' || node.type !== 'def') return null;
  const box = BOXES[node.operand.type];
  return box === undefined ? null : { value: node.operand, box };
}

/** Writes a comparison of an unboxed number with a value of `def`; null if there is not exactly one. */
function emitOrderBeside(emitter: Emitter, { at, left, right }: Of<'compare'>, name: string): string | null {
  const [x, y] = [unboxedNumber(left), unboxedNumber(right)];
  if (x !== null && y === null) {
    const capital = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return `${mark(at)}h.number${capital}(${emit(emitter, x.value)},${emit(emitter, right)},${x.box})`;
  }
  if (x !== null || y === null) return null;
  return `${mark(at)}h.${name}Number(${emit(emitter, left)},${emit(emitter, y.value)},${y.box})`;
}

function emitCompare(emitter: Emitter, node: Of<'compare'>): string {
  const { op, operand } = node;
  const isEqual = op === '==' || op === '===';
  const isWithNull = node.left.type === 'null' || node.right.type === 'null';
  const name = ORDERS[op];
  const beside = name !== undefined && operand === 'def' && !isWithNull ? emitOrderBeside(emitter, node, name) : null;
  if (beside !== null) return beside;
  const a = emit(emitter, node.left);
  const b = emit(emitter, node.right);
  if (isWithNull) return `(${a}${isEqual ? '===' : '!=='}${b})`;
  if (name !== undefined) return operand === 'def' ? `${mark(node.at)}h.${name}(${a},${b})` : `(${a}${op}${b})`;
  if (isPrimitive(operand)) return `(${a}${isEqual ? '===' : '!=='}${b})`;
  const call = `h.${op.length === 3 ? 'isSame' : 'isEqual'}(${a},${b})`;
  return isEqual ? call : `(!${call})`;
}

function emitNegate(emitter: Emitter, node: Of<'negate'>): string {
  const value = emit(emitter, node.operand);
  if (node.op === '+' && node.type !== 'def') return value;
  switch (node.type) {
    case 'int':
      return node.op === '-' ? `((0-${value})|0)` : `(~${value})`;
    case 'long':
      return node.op === '-' ? `h.negateLong(${value})` : `h.xorLong(${value},(-1))`;
    case 'def':
      return `${mark(node.at)}h.defNegate(${emitter.constant(node.op)},${value})`;
    default:
      return `(-${value})`;
  }
}

/** Writes an operand of a joined text: its text by its static type. */
function emitText(emitter: Emitter, node: Typed): string {
  const value = emit(emitter, node);
  if (node.kind === 'constant' && typeof node.value === 'string') return value;
  if (node.kind === 'concat') return value;
  switch (node.type) {
    case 'char':
      return `h.charText(${value})`;
    case 'float':
      return `h.floatText(${value})`;
    case 'double':
      return `h.doubleText(${value})`;
    default:
      return `h.text(${value})`;
  }
}

/** Whether an expression is never null, so that a call on it needs no check. */
function isPresent(node: Typed): boolean {
  return (
    ['list', 'map', 'concat', 'newArray', 'arrayOf', 'lambda', 'object'].includes(node.kind) ||
    (node.kind === 'constant' && node.value !== null)
  );
}

function emitTarget(emitter: Emitter, node: Typed): string {
  const value = emit(emitter, node);
  return isPresent(node) || isPrimitive(node.type) ? value : `h.present(${value})`;
}

function emitCall(emitter: Emitter, node: Of<'call'>): string {
  const args = node.args.map((arg) => emit(emitter, arg));
  const all = node.target ? [emitTarget(emitter, node.target), ...args] : args;
  return `${mark(node.at)}${emitter.constant(node.member.implementation)}(${all.join(',')})`;
}

function emitGetIndex(emitter: Emitter, node: Of<'getIndex'>): string {
  const { how, target, index } = node;
  if (how === 'map' && target.kind === 'local' && index.kind === 'constant') {
    const parameter = emitter.parameter(target.slot, index.value);
    if (parameter !== null) return parameter;
  }
  const place = `${emit(emitter, node.target)},${emit(emitter, node.index)}`;
  const name = { array: 'arrayGet', list: 'listGet', map: 'mapGet', def: 'indexGet' }[node.how];
  return `${mark(node.at)}h.${name}(${place})`;
}

function emitSetIndex(emitter: Emitter, node: Of<'setIndex'>): string {
  const place = [node.target, node.index, node.value].map((one) => emit(emitter, one)).join(',');
  const name = { array: 'arraySet', list: 'listSet', map: 'mapSet', def: 'indexSet' }[node.how];
  return `${mark(node.at)}h.${name}(${place})`;
}

function emitLambda(emitter: Emitter, node: Of<'lambda'>): string {
  const names = node.parameters.map(() => emitter.fresh());
  const body = emitter.asFunction(node.result, true, () => {
    const unboxed = node.parameters.map(
      ({ slot, type }, i) =>
        `let v${slot}=${isPrimitive(type) ? emitUnbox(emitter, node.at, type, names[i]!, false) : names[i]!};`,
    );
    return unboxed.join('') + emitter.block(node.body);
  });
  return `((${names.join(',')})=>{${body}${node.result === 'void' ? '' : 'return null;'}})`;
}

/** Writes what a `return` gives back. */
export function emitResult(emitter: Emitter, node: Typed): string {
  const value = emit(emitter, node);
  return emitter.isBoxing ? emitBox(node.type, value) : value;
}

/** Writes the value that a variable without one has. */
export function emitDefault(type: Type): string {
  if (type === 'boolean') return 'false';
  return isPrimitive(type) ? '0' : 'null';
}
