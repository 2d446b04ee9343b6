import type { Member, Registry } from '../painless/allow/registry.js';
import { isAnyMap, nullTarget } from './access.js';
import { currentBudget } from './budget.js';
import { unboxedOf } from '../painless/types.js';
import { box, KIND, kindOf, unboxBoolean, unboxNumber } from './boxes.js';
import { textOf } from './java-text.js';
import { isList, listGet, listSet } from './lists.js';
import { documentGet, documentPut, mapGet, mapPut } from './maps.js';
import { StateMap } from './state-map.js';
import { classCast, illegalArgument } from './thrown.js';
import { classOf, HostMap, isPlainMap, JavaArray, MapObject, ScriptObject, type Value } from './values.js';

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

type Call = (...values: Value[]) => Value;

/** A member with its call; `direct`: the same on boxed arguments, null where its result has to be boxed. */
interface BoundMember {
  readonly member: Member;
  readonly direct: Call | null;
}

/** Returns a function that makes of a boxed value what a parameter takes; null where it is taken as it is. */
function taker(type: string, registry: Registry): ((value: Value) => Value) | null {
  if (type === 'def') return null;
  if (type === 'int')
    return (value) =>
      typeof value === 'number' && (value | 0) === value ? value | 0 : unboxNumber(value, type, false);
  return (value) => unboxArgument(value, type, registry);
}

/** Of one and two arguments, which are most, without an array of them. */
function directCall({ parameters, implementation }: Member, registry: Registry): Call {
  const call = implementation as Call;
  const takers = parameters.map((type) => taker(type, registry));
  if (takers.every((take) => take === null)) return call;
  const [first, second] = takers.map((take) => take ?? ((value: Value): Value => value));
  if (takers.length === 1) return (target, one) => call(target, first!(one));
  if (takers.length === 2) return (target, one, two) => call(target, first!(one), second!(two));
  return (target, ...args) => call(target, ...args.map((arg, i) => takers[i]?.(arg) ?? arg));
}

function boundMember(member: Member | null, registry: Registry): BoundMember | null {
  if (member === null) return null;
  return { member, direct: PRIMITIVES.has(member.result) ? null : directCall(member, registry) };
}

/** A place of a script where a method of `def` is called. It keeps the member of the class that it met last. */
class CallSite {
  readonly #registry: Registry;
  readonly #name: string;
  readonly #arity: number;
  #class = '';
  #bound: BoundMember | null = null;

  constructor(registry: Registry, name: string, arity: number) {
    this.#registry = registry;
    this.#name = name;
    this.#arity = arity;
  }

  /** Returns the member of a class if it gives a boxed value; null: it has to be invoked. */
  direct(target: Value): Call | null {
    if (target === null || target === undefined || typeof target === 'function') return null;
    const type = classOf(target);
    if (type !== this.#class) {
      this.#bound = boundMember(this.#registry.method(type, this.#name, this.#arity), this.#registry);
      this.#class = type;
    }
    return this.#bound?.direct ?? null;
  }

  /** Calls what `direct` did not return. */
  invoke(target: Value, args: readonly Value[]): Value {
    if (target === null || target === undefined || typeof target === 'function' || this.#bound === null)
      return callDynamic(this.#registry, this.#name, target, args);
    return invoke(this.#bound.member, this.#registry, [target], args);
  }
}

/** Returns the function of one place of a script where a method of `def` is called. */
export function callSite(registry: Registry, name: string, arity: number): (target: Value, ...args: Value[]) => Value {
  const site = new CallSite(registry, name, arity);
  if (arity === 0)
    return (target) => {
      const call = site.direct(target);
      return call === null ? site.invoke(target, NO_ARGUMENTS) : (call(target) ?? null);
    };
  if (arity === 1)
    return (target, one) => {
      const call = site.direct(target);
      return call === null ? site.invoke(target, [one]) : (call(target, one) ?? null);
    };
  if (arity === 2)
    return (target, one, two) => {
      const call = site.direct(target);
      return call === null ? site.invoke(target, [one, two]) : (call(target, one, two) ?? null);
    };
  return (target, ...args) => {
    const call = site.direct(target);
    return call === null ? site.invoke(target, args) : (call(target, ...args) ?? null);
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
  const isKey = name !== 'empty';
  let layout: StateMap['layout'] | null = null;
  let slot: number | undefined;
  return (target) => {
    if (isKey && target instanceof StateMap) {
      if (target.layout !== layout) slot = (layout = target.layout).slots.get(name);
      return slot === undefined ? null : target.at(slot);
    }
    if (isKey && isPlainMap(target)) return documentGet(target, name);
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

/** Returns `setMember` for one place of a script. It keeps the slot of the state that it met last. */
export function setSite(registry: Registry, name: string): (target: Value, value: Value) => Value {
  let layout: StateMap['layout'] | null = null;
  let slot: number | undefined;
  return (target, value) => {
    if (!(target instanceof StateMap)) return setMember(registry, target, name, value);
    if (target.layout !== layout) slot = (layout = target.layout).slots.get(name);
    if (slot === undefined) target.put(name, value);
    else target.set(slot, value);
    if (typeof value === 'object') currentBudget().isChanged = true;
    return value;
  };
}

/**
 * Returns a function that adds an unboxed double to a member that is a Double of a state, as most map scripts do; false
 * where it is not one, for the caller to go the general way.
 */
export function addSite(name: string): (target: Value, value: number) => boolean {
  let layout: StateMap['layout'] | null = null;
  let slot: number | undefined;
  return (target, value) => {
    if (!(target instanceof StateMap)) return false;
    if (target.layout !== layout) slot = (layout = target.layout).slots.get(name);
    return slot !== undefined && target.addTo(slot, value);
  };
}

/** Sets `target.name` of a value whose class shows when the script runs; returns the value. */
function setMember(registry: Registry, target: Value, name: string, value: Value): Value {
  if (target === null || target === undefined) throw nullTarget();
  if (isPlainMap(target)) {
    documentPut(target, name, value);
    return value;
  }
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
