import { box, unboxNumber } from './boxes.js';
import { currentBudget } from './budget.js';
import { DoubleEnded } from './double-ended.js';
import { JavaMap } from './java-map.js';
import { JavaSet } from './java-set.js';
import { isList, listGet, listSet } from './lists.js';
import { documentGet, documentPut, isMap, mapGet, mapPut } from './maps.js';
import { illegalArgument, nullPointer, outOfBounds, Thrown } from './thrown.js';
import { classOf, isDocumentMap, isPlainMap, JavaArray, ScriptObject, type Value } from './values.js';

/** The error of a member of null, found when the script runs. */
export function nullTarget(): Thrown {
  return nullPointer('Cannot invoke "Object.getClass()" because "callArgs[0]" is null');
}

/** Returns a value that is not null; a call on null is a NullPointerException. */
export function present<T>(value: T): T {
  if (value === null || value === undefined) throw nullPointer('Cannot invoke a method because its object is null');
  return value;
}

export function isAnyMap(value: unknown): value is object {
  return value instanceof ScriptObject ? isMap(value) : isDocumentMap(value);
}

function arrayPlace(array: JavaArray, index: number): number {
  const { length } = array.values;
  const place = index < 0 ? index + length : index;
  if (place >= 0 && place < length) return place;
  throw new Thrown('java.lang.ArrayIndexOutOfBoundsException', outOfBounds(place, length).told);
}

export function arrayGet(array: JavaArray, index: number): Value {
  return present(array).values[arrayPlace(array, index)];
}

export function arraySet(array: JavaArray, index: number, value: Value): Value {
  present(array).values[arrayPlace(array, index)] = value;
  return value;
}

export function arrayLength(array: JavaArray): number {
  return present(array).values.length;
}

function notIndexed(target: Value): Thrown {
  return target === null
    ? nullTarget()
    : illegalArgument(`Attempting to address a non-array-like type [${classOf(target)}] as an array.`);
}

/** Reads `target[index]` of a value whose class shows when the script runs. */
export function indexGet(target: Value, index: Value): Value {
  if (typeof index === 'string' && isPlainMap(target)) return documentGet(target, index);
  if (isList(target)) return listGet(target, unboxNumber(index, 'int', false) as number);
  if (isAnyMap(target)) return mapGet(target, index);
  if (target instanceof JavaArray)
    return box(target.element, arrayGet(target, unboxNumber(index, 'int', false) as number));
  throw notIndexed(target);
}

export function indexSet(target: Value, index: Value, value: Value): Value {
  if (typeof index === 'string' && isPlainMap(target)) {
    documentPut(target, index, value);
    return value;
  }
  if (isList(target)) return listSet(target, unboxNumber(index, 'int', false) as number, value);
  if (target instanceof JavaArray) {
    arraySet(target, unboxNumber(index, 'int', false) as number, unboxElement(target.element, value));
    return value;
  }
  if (!isAnyMap(target)) throw notIndexed(target);
  mapPut(target, index, value);
  return value;
}

const PRIMITIVES = new Set(['byte', 'short', 'char', 'int', 'long', 'float', 'double']);

function unboxElement(element: string, value: Value): Value {
  return PRIMITIVES.has(element) ? unboxNumber(value, element, false) : value;
}

export function mapIndexGet(map: object, key: Value): Value {
  return mapGet(present(map), key);
}

export function mapIndexSet(map: object, key: Value, value: Value): Value {
  mapPut(present(map), key, value);
  return value;
}

/** Iterates over a list; refuses to go on after it has grown or shrunk. A generator would take three times as long. */
class ListIterator implements IterableIterator<Value> {
  readonly #items: readonly Value[];
  readonly #list: { readonly length: number };
  readonly #length: number;
  readonly #result: { done: boolean; value: Value } = { done: false, value: null };
  #at = 0;

  /** `items` are those that the list has now. */
  constructor(items: readonly Value[], list: { readonly length: number }) {
    this.#items = items;
    this.#list = list;
    this.#length = list.length;
  }

  [Symbol.iterator](): this {
    return this;
  }

  /** Returns the same object each time: generated loops read it before they ask again. */
  next(): IteratorResult<Value> {
    if (this.#list.length !== this.#length) throw concurrentModification();
    const result = this.#result;
    result.done = this.#at >= this.#length;
    result.value = result.done ? null : (this.#items[this.#at++] ?? null);
    return result;
  }
}

function* overSet(set: JavaSet): Generator<Value> {
  const { changes } = set.map;
  for (const value of set.values()) {
    if (set.map.changes !== changes) throw concurrentModification();
    yield value;
  }
}

function concurrentModification(): Thrown {
  return new Thrown('java.util.ConcurrentModificationException', null);
}

/** Returns what a loop goes through: boxed values of a collection, of a field, of an array. */
export function iterate(values: Value): Iterable<Value> {
  if (values === null) throw nullTarget();
  if (Array.isArray(values)) return new ListIterator(values, values);
  if (values instanceof DoubleEnded) return new ListIterator(values.items(), values);
  if (values instanceof JavaSet) return overSet(values);
  if (values instanceof JavaArray) return values.values.map((value) => box(values.element, value));
  if (values instanceof ScriptObject && !(values instanceof JavaMap) && Symbol.iterator in values)
    return values as unknown as Iterable<Value>;
  throw illegalArgument(`Cannot iterate over [${classOf(values)}]`);
}

/** Returns the elements of an array, unboxed. */
export function iterateArray(values: JavaArray): Iterable<Value> {
  return present(values).values;
}

/** Bytes of an element of an array. */
const ELEMENT_BYTES = 8;
const ARRAY_MAX = 2 ** 31 - 1;

function checkSize(size: number): void {
  if (size < 0) throw new Thrown('java.lang.NegativeArraySizeException', String(size));
  if (size > ARRAY_MAX) throw illegalArgument('array is too large');
  currentBudget().charge(size * ELEMENT_BYTES);
}

/** Makes an array of the sizes of its levels. */
export function newArray(element: string, sizes: readonly number[]): JavaArray {
  const [size, ...rest] = sizes as [number, ...number[]];
  checkSize(size);
  const empty = element === 'boolean' ? false : PRIMITIVES.has(element) ? 0 : null;
  const values = Array.from({ length: size }, () => (rest.length === 0 ? empty : newArray(element.slice(0, -2), rest)));
  return new JavaArray(element, values);
}

export function arrayOf(element: string, items: Value[]): JavaArray {
  return new JavaArray(element, items);
}

/** Makes the list of a list initializer. */
export function list(items: Value[]): Value[] {
  currentBudget().isChanged = true;
  return items;
}

/** Makes the map of a map initializer from keys and values in turn. */
export function map(parts: readonly Value[]): JavaMap {
  const made = new JavaMap('hash');
  for (let i = 0; i < parts.length; i += 2) made.put(parts[i], parts[i + 1]);
  return made;
}
