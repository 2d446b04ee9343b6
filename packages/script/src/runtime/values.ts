import { JsonText } from '@shoal/json';
import { currentBudget } from './budget.js';
import { ScriptObject } from './script-object.js';
import { unsupported } from './thrown.js';

export { ScriptObject };

/**
 * Values of scripts. null, boolean and String are those of JavaScript. Among boxed values (in `def`, lists, maps) a
 * number is an Integer where it is an int32, a Long where it is another whole number below 2^53, else a Double; a
 * bigint is a Long beyond 2^53, a JsonText a whole Double of the host's JSON; every other number is `Boxed`. An array
 * is a java.util.ArrayList. An object without a class of ours is a map from the host's JSON: its own keys in their
 * order. A function is a lambda: it takes and returns boxed values. All else is a ScriptObject.
 */
export type Value = unknown;

export type BoxKind = 'Long' | 'Double' | 'Float' | 'Short' | 'Byte' | 'Character';

/** A number whose class its value does not tell: the Double 3.0, the Long 5, the Character `a`. */
export class Boxed extends ScriptObject {
  readonly kind: BoxKind;
  readonly value: number;

  constructor(kind: BoxKind, value: number) {
    super();
    this.kind = kind;
    this.value = value;
  }

  get javaClass(): string {
    return `java.lang.${this.kind}`;
  }
}

/** A Long that is an int32. It has a class of its own, whose values V8 keeps in the object and not behind it. */
export class BoxedLong extends Boxed {
  constructor(value: number) {
    super('Long', value);
  }
}

/** An array of Java: `int[]`, `def[]`. */
export class JavaArray extends ScriptObject {
  readonly element: string;
  readonly values: Value[];

  constructor(element: string, values: Value[]) {
    super();
    this.element = element;
    this.values = values;
    currentBudget().isChanged = true;
  }

  get javaClass(): string {
    return `${this.element}[]`;
  }
}

/** A map that is not an object of JSON. */
export abstract class MapObject extends ScriptObject {
  abstract get(key: Value): Value;
  abstract has(key: Value): boolean;
  abstract put(key: Value, value: Value): Value;
  abstract remove(key: Value): Value;
  abstract clear(): void;
  abstract get size(): number;
  abstract keys(): Value[];
  abstract entries(): [Value, Value][];
}

/** A map that the host answers, of which scripts can only read keys that they know: `doc`. */
export abstract class HostMap extends MapObject {
  get javaClass(): string {
    return 'java.util.Map';
  }
  put(): Value {
    throw unsupported();
  }
  remove(): Value {
    throw unsupported();
  }
  clear(): void {
    throw unsupported();
  }
  get size(): number {
    throw unsupported();
  }
  keys(): Value[] {
    throw unsupported();
  }
  entries(): [Value, Value][] {
    throw unsupported();
  }
}

/**
 * Whether a value is a map of the host's JSON, found by its prototype alone: asking for the classes that it is not
 * takes several times as long. False for the rare map whose prototype is another one; `isDocumentMap` finds that.
 */
export function isPlainMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Whether a value is a map of the host's JSON. */
export function isDocumentMap(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ScriptObject) &&
    !(value instanceof JsonText)
  );
}

const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;

/** Returns the class of a value by its canonical name; null has none. */
export function classOf(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'java.lang.String';
    case 'boolean':
      return 'java.lang.Boolean';
    case 'bigint':
      return 'java.lang.Long';
    case 'number':
      if (!Number.isInteger(value)) return 'java.lang.Double';
      return value >= INT_MIN && value <= INT_MAX && !Object.is(value, -0) ? 'java.lang.Integer' : 'java.lang.Long';
    case 'function':
      return 'java.util.function.Function';
    default:
      if (value === null || value === undefined) return 'java.util.HashMap';
      return classOfObject(value);
  }
}

function classOfObject(value: object): string {
  switch (Object.getPrototypeOf(value)) {
    case Object.prototype:
      return 'java.util.HashMap';
    case Array.prototype:
      return 'java.util.ArrayList';
    default:
      if (value instanceof ScriptObject) return value.javaClass;
      if (value instanceof JsonText) return 'java.lang.Double';
      if (!Array.isArray(value)) return 'java.util.HashMap';
      return 'javaClass' in value ? (value.javaClass as string) : 'java.util.ArrayList';
  }
}

/** Returns a class's name as errors about `def` write it: primitives by their own names. */
export function shownClass(value: Value): string {
  const name = classOf(value);
  const box = /^java\.lang\.(Integer|Long|Double|Float|Short|Byte|Character|Boolean)$/.exec(name)?.[1];
  if (box === undefined) return name;
  return box === 'Integer' ? 'int' : box === 'Character' ? 'char' : box.toLowerCase();
}

/** A list that scripts can only read: the values of a field, a part of another list. */
export abstract class HostList extends ScriptObject {
  abstract get length(): number;
  abstract at(index: number): Value;

  *[Symbol.iterator](): Iterator<Value> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}
