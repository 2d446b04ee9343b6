import type { Member, Registry } from '../painless/allow/registry.js';
import { isAnyMap, nullTarget } from './access.js';
import { unboxedOf } from '../painless/types.js';
import { box, KIND, kindOf, unboxBoolean, unboxNumber } from './boxes.js';
import { textOf } from './java-text.js';
import { isList, listGet, listSet } from './lists.js';
import { mapGet, mapPut } from './maps.js';
import { classCast, illegalArgument } from './thrown.js';
import { classOf, HostMap, JavaArray, MapObject, ScriptObject, type Value } from './values.js';

const PRIMITIVES = new Set(['byte', 'short', 'char', 'int', 'long', 'float', 'double']);

/** Whether a value's class is one of a type's. A lambda is of any functional interface. */
export function isInstance(value: Value, registry: Registry, type: string): boolean {
  if (value === null || value === undefined) return false;
  if (type === 'def' || type === 'java.lang.Object') return true;
  if (typeof value === 'function') return registry.functional(type) !== null;
  return registry.isSubclass(classOf(value), type);
}

/**
 * Returns the value if it is of the type or null. A number becomes one of a boxed class that is wider, or of any such
 * class if the cast is written out; so does a char, which may become a text too.
 */
export function checkClass(value: Value, registry: Registry, type: string, isExplicit: boolean): Value {
  if (value === null || isInstance(value, registry, type)) return value;
  const primitive = unboxedOf(type);
  if (PRIMITIVES.has(primitive) && kindOf(value) !== KIND.none)
    return box(primitive, unboxNumber(value, primitive, isExplicit, type));
  if (type === 'java.lang.String' && isExplicit && classOf(value) === 'java.lang.Character') return textOf(value);
  if (type === 'java.lang.Boolean') throw classCast(`cannot implicitly cast def [${shown(value)}] to ${type}`);
  throw classCast(`cannot ${isExplicit ? 'explicitly' : 'implicitly'} cast def [${shown(value)}] to ${type}`);
}

function shown(value: Value): string {
  const name = classOf(value);
  const unboxed: Readonly<Record<string, string>> = {
    'java.lang.Integer': 'int',
    'java.lang.Character': 'char',
    'java.lang.Boolean': 'boolean',
  };
  return (
    unboxed[name] ??
    name.replace(/^java\.lang\.(Long|Double|Float|Short|Byte)$/, (_all, box: string) => box.toLowerCase())
  );
}

function unboxArgument(value: Value, type: string, registry: Registry): Value {
  if (PRIMITIVES.has(type)) return unboxNumber(value, type, false);
  if (type === 'boolean') return unboxBoolean(value);
  return type === 'def' ? value : checkClass(value, registry, type, false);
}

/** Calls a member with boxed arguments; returns its result boxed. */
export function invoke(member: Member, registry: Registry, target: readonly Value[], args: readonly Value[]): Value {
  if (args.length === 0 && target.length === 1)
    return box(member.result, (member.implementation as (of: Value) => Value)(target[0])) ?? null;
  const unboxed = args.map((arg, i) => unboxArgument(arg, member.parameters[i]!, registry));
  const call = member.implementation as (...values: Value[]) => Value;
  return box(member.result, call(...target, ...unboxed)) ?? null;
}

/** Functional interfaces whose default methods a lambda answers by name. */
const LAMBDA_CLASSES = ['java.util.Comparator', 'java.util.function.Function', 'java.util.function.Predicate'];

function lambdaMethod(registry: Registry, name: string, arity: number): Member | null {
  for (const type of LAMBDA_CLASSES) {
    const member = registry.method(type, name, arity);
    if (member) return member;
  }
  return null;
}

/** Calls a method that is found by the class of its object. */
export function callDynamic(registry: Registry, name: string, target: Value, args: readonly Value[]): Value {
  if (target === null || target === undefined) throw nullTarget();
  const member =
    typeof target === 'function'
      ? lambdaMethod(registry, name, args.length)
      : registry.method(classOf(target), name, args.length);
  if (member) return invoke(member, registry, [target], args);
  if (typeof target === 'function') return (target as (...all: readonly Value[]) => Value)(...args) ?? null;
  throw illegalArgument(`dynamic method [${classOf(target)}, ${name}/${args.length}] not found`);
}

/**
 * Returns the function of one place of a script where a method of `def` is called. It keeps the member of the class
 * that it met last.
 */
export function callSite(registry: Registry, name: string, arity: number): (target: Value, ...args: Value[]) => Value {
  let lastClass = '';
  let last: Member | null = null;
  return (target, ...args) => {
    if (target === null || target === undefined || typeof target === 'function')
      return callDynamic(registry, name, target, args);
    const type = classOf(target);
    if (type !== lastClass || last === null) {
      last = registry.method(type, name, arity);
      lastClass = type;
      if (last === null) return callDynamic(registry, name, target, args);
    }
    return invoke(last, registry, [target], args);
  };
}

function capital(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}

function getter(registry: Registry, type: string, name: string): Member | null {
  return registry.method(type, `get${capital(name)}`, 0) ?? registry.method(type, `is${capital(name)}`, 0);
}

/** Reads `target.name` of a value whose class shows when the script runs. */
function getMember(registry: Registry, target: Value, name: string): Value {
  if (target === null || target === undefined) throw nullTarget();
  // Getters of maps go before their keys, and `isEmpty` is the only one.
  if (isAnyMap(target) && (name !== 'empty' || target instanceof HostMap)) return mapGet(target, name);
  const type = classOf(target);
  if (target instanceof JavaArray && name === 'length') return target.values.length;
  const found = getter(registry, type, name);
  if (found) return invoke(found, registry, [target], []);
  if (isList(target)) return listGet(target, listIndex(name));
  throw illegalArgument(`dynamic getter [${type}, ${name}] not found`);
}

/** Returns `getMember` for one place of a script. It keeps the getter of the class that it met last. */
export function memberSite(registry: Registry, name: string): (target: Value) => Value {
  let lastClass = '';
  let last: Member | null = null;
  return (target) => {
    if (!(target instanceof ScriptObject) || target instanceof MapObject) return getMember(registry, target, name);
    const type = target.javaClass;
    if (type !== lastClass) {
      last = getter(registry, type, name);
      lastClass = type;
    }
    return last === null ? getMember(registry, target, name) : invoke(last, registry, [target], NO_ARGUMENTS);
  };
}

const NO_ARGUMENTS: readonly Value[] = [];

function listIndex(name: string): number {
  if (/^\d+$/.test(name)) return Number(name);
  throw illegalArgument(`Illegal list shortcut value [${name}].`);
}

export function setMember(registry: Registry, target: Value, name: string, value: Value): Value {
  if (target === null || target === undefined) throw nullTarget();
  if (isAnyMap(target)) {
    mapPut(target, name, value);
    return value;
  }
  const type = classOf(target);
  const setter = registry.method(type, `set${capital(name)}`, 1);
  if (setter) {
    invoke(setter, registry, [target], [value]);
    return value;
  }
  if (isList(target)) return listSet(target, listIndex(name), value);
  throw illegalArgument(`dynamic setter [${type}, ${name}] not found`);
}

/** Returns `value::name` as a lambda. */
export function bound(registry: Registry, target: Value, name: string): (...args: Value[]) => Value {
  return (...args) => callDynamic(registry, name, target, args);
}

/** Returns a function of the script as a lambda: it takes and returns boxed values. */
export function adapt(
  run: (...args: Value[]) => Value,
  { parameters, result }: { readonly parameters: readonly string[]; readonly result: string },
): (...args: Value[]) => Value {
  return (...args) => {
    const unboxed = parameters.map((type, i) => {
      if (PRIMITIVES.has(type)) return unboxNumber(args[i], type, false);
      return type === 'boolean' ? unboxBoolean(args[i]) : (args[i] ?? null);
    });
    return box(result, run(...unboxed)) ?? null;
  };
}
