import { syntaxError } from '../syntax-error.js';
import type { Expression } from '../tree.js';
import { elementOf, STRING, type Type } from '../types.js';
import { castTo } from './casts.js';
import type { Checker } from './checker.js';
import { nullSafe } from './null-safe.js';
import type { Indexed, Typed } from './typed.js';

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

export function checkName(node: Of<'name'>, checker: Checker): Typed {
  const variable = checker.find(node.name);
  if (variable) return { kind: 'local', at: node.at, type: variable.type, slot: variable.slot };
  if (checker.registry.resolve(node.name) !== null)
    throw syntaxError(
      node.at,
      `value required: instead found unexpected type [${checker.registry.resolve(node.name)}]`,
    );
  throw syntaxError(node.at, `cannot resolve symbol [${node.name}]`);
}

/** Returns the class that an expression such as `Math` or `java.util.List` names; null for a value. */
export function namedType(node: Expression, checker: Checker): Type | null {
  const name = dottedName(node);
  if (name === null || checker.find(name.split('.', 1)[0]!)) return null;
  return checker.registry.resolve(name);
}

/** Returns the dotted name that an expression is; null if it is more than that. */
export function dottedName(node: Expression): string | null {
  if (node.kind === 'name') return node.name;
  if (node.kind !== 'member' || node.isNullSafe) return null;
  const target = dottedName(node.target);
  return target === null ? null : `${target}.${node.name}`;
}

/** Whether a dotted name begins with a class: it goes on with a constant of that class. */
export function beginsWithType(node: Expression, checker: Checker): boolean {
  if (node.kind !== 'member') return false;
  return namedType(node.target, checker) !== null || beginsWithType(node.target, checker);
}

export function checkMember(node: Of<'member'>, checker: Checker): Typed {
  const type = namedType(node.target, checker);
  if (type !== null) return constantOf(node, type, checker);
  refuseUnknownPackage(node, checker);
  const cell = cellOf(node, checker);
  if (cell) return cell;
  const target = checker.check(node.target);
  return node.isNullSafe
    ? nullSafe(node.at, target, checker, (value) => memberOf(node, value, checker))
    : memberOf(node, target, checker);
}

/** Returns `doc['f'].value` of a field that the host keeps as unboxed numbers; null for anything else. */
function cellOf(node: Of<'member'>, checker: Checker): Typed | null {
  const { target, name, isNullSafe, at } = node;
  if (name !== 'value' || isNullSafe || target.kind !== 'index' || target.index.kind !== 'text') return null;
  if (target.target.kind !== 'name' || target.target.name !== 'doc' || !checker.find('doc')) return null;
  const cell = checker.cell(target.index.value);
  if (cell === null) return null;
  checker.noteField(cell.field);
  return { kind: 'cell', at, type: cell.kind === 'date' ? 'java.time.ZonedDateTime' : cell.kind, cell };
}

/** A dotted name whose first part is no variable can only be meant as a class. */
function refuseUnknownPackage(node: Of<'member'>, checker: Checker): void {
  const name = dottedName(node);
  if (name === null || checker.find(name.split('.', 1)[0]!) || beginsWithType(node, checker)) return;
  if (checker.registry.resolve(name) !== null)
    throw syntaxError(node.at, `value required: instead found unexpected type [${name}]`);
  throw syntaxError(node.at, `cannot resolve symbol [${name}]`);
}

function constantOf(node: Of<'member'>, type: Type, checker: Checker): Typed {
  const constant = checker.registry.constant(type, node.name);
  if (!constant) throw syntaxError(node.at, `field [${type}, ${node.name}] not found`);
  return { kind: 'object', at: node.at, type: constant.type, value: constant.value };
}

function capital(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}

/** Reads a member by its name: the length of an array, a getter, an entry of a map, an index of a list. */
export function memberOf(node: Of<'member'>, target: Typed, checker: Checker): Typed {
  const { at, name } = node;
  const { type } = target;
  if (elementOf(type) !== null) {
    if (name === 'length') return { kind: 'arrayLength', at, type: 'int', target };
    throw syntaxError(at, `Field [${name}] does not exist for type [${type}].`);
  }
  if (type === 'def') return { kind: 'getMember', at, type: 'def', target, name };
  const getter =
    checker.registry.method(type, `get${capital(name)}`, 0) ?? checker.registry.method(type, `is${capital(name)}`, 0);
  if (getter) return { kind: 'call', at, type: getter.result, member: getter, target, args: [] };
  const entry = entryOf(node, target, checker);
  if (entry) return { kind: 'getIndex', at, type: 'def', ...entry };
  throw syntaxError(at, `field [${type}, ${name}] not found`);
}

/** What `map.key` and `list.0` name: a map's entry or a list's index. Null for another class. */
export function entryOf(
  node: Of<'member'>,
  target: Typed,
  checker: Checker,
): { how: Indexed; target: Typed; index: Typed } | null {
  const { at, name } = node;
  if (checker.registry.isSubclass(target.type, 'java.util.Map'))
    return { how: 'map', target, index: { kind: 'constant', at, type: STRING, value: name } };
  if (!checker.registry.isSubclass(target.type, 'java.util.List')) return null;
  if (!/^\d+$/.test(name)) throw syntaxError(at, `invalid list index [${name}]`);
  return { how: 'list', target, index: { kind: 'constant', at, type: 'int', value: Number(name) } };
}

export function checkIndex(node: Of<'index'>, checker: Checker): Typed {
  const place = indexedOf(node, checker);
  return { kind: 'getIndex', at: node.at, ...place };
}

/** Returns what `target[index]` names, with the type of the element. */
export function indexedOf(
  node: Of<'index'>,
  checker: Checker,
): { how: Indexed; target: Typed; index: Typed; type: Type } {
  const target = checker.check(node.target);
  const { type } = target;
  const element = elementOf(type);
  if (element !== null) return { how: 'array', target, index: checker.checkAs(node.index, 'int'), type: element };
  if (type === 'def') {
    noteField(node, checker);
    return { how: 'def', target, index: castTo(checker.check(node.index), 'def', checker), type: 'def' };
  }
  if (checker.registry.isSubclass(type, 'java.util.Map')) {
    noteField(node, checker);
    return { how: 'map', target, index: checker.checkAs(node.index, 'def'), type: 'def' };
  }
  if (checker.registry.isSubclass(type, 'java.util.List'))
    return { how: 'list', target, index: checker.checkAs(node.index, 'int'), type: 'def' };
  throw syntaxError(node.at, `Cannot address array like access on type [${type}].`);
}

function noteField(node: Of<'index'>, checker: Checker): void {
  if (node.target.kind === 'name' && node.target.name === 'doc' && node.index.kind === 'text')
    checker.noteField(node.index.value);
}
