import { castError, syntaxError } from '../syntax-error.js';
import type { BinaryOperator, Expression } from '../tree.js';
import { elementOf, isNumeric, promoteNumbers, STRING, type Type } from '../types.js';
import { castTo } from './casts.js';
import type { Checker } from './checker.js';
import { entryOf, indexedOf, memberOf } from './members.js';
import { binaryOf } from './operators.js';
import type { Arithmetic, Typed } from './typed.js';

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/**
 * A place that a script can assign to: steps that work out its object and index once, into temporaries; how to read it;
 * how to write it.
 */
interface Place {
  readonly type: Type;
  readonly steps: readonly Typed[];
  readonly read: () => Typed;
  readonly write: (value: Typed) => Typed;
}

/** What a place cannot be, in errors. */
function described(node: Expression): string {
  switch (node.kind) {
    case 'number':
      return `numeric constant [${node.text}]`;
    case 'text':
      return `string constant [${node.value}]`;
    case 'boolean':
      return `boolean constant [${node.value}]`;
    case 'null':
      return 'null constant';
    case 'call':
      return `function call [${node.name}/${node.args.length}]`;
    case 'method':
      return `method call [${node.name}/${node.args.length}]`;
    case 'list':
      return 'list initializer';
    case 'map':
      return 'map initializer';
    case 'new':
      return 'new object';
    default:
      return `${node.kind} operation`;
  }
}

function placeOf(node: Expression, checker: Checker): Place {
  switch (node.kind) {
    case 'name':
      return localPlace(node, checker);
    case 'index':
      return indexPlace(node, checker);
    case 'member':
      if (!node.isNullSafe) return memberPlace(node, checker);
      throw syntaxError(node.at, "Can't assign to a null safe operation");
    default:
      throw syntaxError(node.at, `invalid assignment: cannot assign a value to ${described(node)}`);
  }
}

function localPlace(node: Of<'name'>, checker: Checker): Place {
  const { at } = node;
  const variable = checker.find(node.name);
  if (!variable) throw syntaxError(at, `cannot resolve symbol [${node.name}]`);
  if (variable.isReadOnly) throw syntaxError(at, `Variable [${node.name}] is read-only.`);
  const { type, slot } = variable;
  return {
    type,
    steps: [],
    read: () => ({ kind: 'local', at, type, slot }),
    write: (value) => ({ kind: 'setLocal', at, type, slot, value }),
  };
}

/** Keeps a value in a temporary: the step that sets it, and how to read it. */
function kept(value: Typed, checker: Checker): { readonly step: Typed; readonly read: Typed } {
  const temp = checker.temp();
  return {
    step: { kind: 'setTemp', at: value.at, type: value.type, temp, value },
    read: { kind: 'temp', at: value.at, type: value.type, temp },
  };
}

function indexPlace(node: Of<'index'>, checker: Checker): Place {
  const { at } = node;
  const { how, target, index, type } = indexedOf(node, checker);
  const object = kept(target, checker);
  const key = kept(index, checker);
  const place = { how, target: object.read, index: key.read };
  return {
    type,
    steps: [object.step, key.step],
    read: () => ({ kind: 'getIndex', at, type, ...place }),
    write: (value) => ({ kind: 'setIndex', at, type, ...place, value }),
  };
}

function memberPlace(node: Of<'member'>, checker: Checker): Place {
  const { at, name } = node;
  const target = checker.check(node.target);
  const object = kept(target, checker);
  if (target.type === 'def')
    return {
      type: 'def',
      steps: [object.step],
      read: () => ({ kind: 'getMember', at, type: 'def', target: object.read, name }),
      write: (value) => ({ kind: 'setMember', at, type: 'def', target: object.read, name, value }),
    };
  const setter = checker.registry.method(target.type, `set${name[0]!.toUpperCase()}${name.slice(1)}`, 1);
  if (setter) {
    const type = setter.parameters[0]!;
    const call = (value: Typed): Typed =>
      ({ kind: 'call', at, type: setter.result, member: setter, target: object.read, args: [value] }) as const;
    return { type, steps: [object.step], read: () => memberOf(node, object.read, checker), write: call };
  }
  const entry = elementOf(target.type) === null ? entryOf(node, object.read, checker) : null;
  if (!entry) throw syntaxError(at, `field [${target.type}, ${name}] not found`);
  return {
    type: 'def',
    steps: [object.step],
    read: () => ({ kind: 'getIndex', at, type: 'def', ...entry }),
    write: (value) => ({ kind: 'setIndex', at, type: 'def', ...entry, value }),
  };
}

export function checkAssignment(node: Of<'assign'>, checker: Checker): Typed {
  if (node.op === null && node.target.kind === 'name') {
    const place = localPlace(node.target, checker);
    return { ...place.write(checker.checkAs(node.value, place.type)), at: node.at };
  }
  const place = placeOf(node.target, checker);
  const value =
    node.op === null
      ? checker.checkAs(node.value, place.type)
      : compound(node, place, checker.check(node.value), checker);
  return sequence(node.at, place.type, [...place.steps, place.write(value)]);
}

function compound(node: Of<'assign'>, place: Place, value: Typed, checker: Checker): Typed {
  const operator: BinaryOperator = node.op!;
  const current = place.read();
  // Text joins what is text already: `x += "a"` of a number does not.
  const left = operator === '+' && value.type === STRING ? castTo(current, STRING, checker) : current;
  if (isRefused(operator, left.type, value.type))
    throw castError(
      node.at,
      `invalid compound assignment: cannot apply [${operator}=] to types [${left.type}] and [${value.type}]`,
    );
  const result = binaryOf(node.at, operator as Arithmetic, left, value, checker);
  return castTo(result, place.type, checker, { isExplicit: true });
}

/** Whether an operator of bits has numbers with a point: both, or any one of a shift. */
function isRefused(operator: BinaryOperator, left: Type, right: Type): boolean {
  if (!BIT_OPERATORS.has(operator) || !isNumeric(left) || !isNumeric(right)) return false;
  const isWhole = (type: Type): boolean => promoteNumbers(type, type, false) !== null;
  const isShift = operator !== '&' && operator !== '|' && operator !== '^';
  return isShift ? !isWhole(left) || !isWhole(right) : !isWhole(left) && !isWhole(right);
}

const BIT_OPERATORS: ReadonlySet<string> = new Set(['<<', '>>', '>>>', '&', '|', '^']);

/** Checks `x++` and its kin: the value before the step for a postfix, behind it for a prefix. */
export function checkStep(node: Of<'step'>, checker: Checker): Typed {
  const { at } = node;
  const place = placeOf(node.target, checker);
  const one: Typed = { kind: 'constant', at, type: 'int', value: 1 };
  const next = (from: Typed): Typed =>
    castTo(binaryOf(at, node.op === '++' ? '+' : '-', from, one, checker), place.type, checker, { isExplicit: true });
  if (node.isPrefix) return sequence(at, place.type, [...place.steps, place.write(next(place.read()))]);
  const before = kept(place.read(), checker);
  return sequence(at, place.type, [...place.steps, before.step, place.write(next(before.read)), before.read]);
}

function sequence(at: number, type: Type, steps: readonly Typed[]): Typed {
  return steps.length === 1 ? { ...steps[0]!, at } : { kind: 'sequence', at, type, steps };
}
