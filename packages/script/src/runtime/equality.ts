import { JsonText } from '@shoal/json';
import { hashCode as textHash } from '@shoal/values';
import { kindOf, numberIn } from './boxes.js';
import { currentBudget } from './budget.js';
import { listItems } from './double-ended.js';
import { entriesOf, isMap, mapGet, mapHas, mapSize } from './maps.js';
import { Boxed, classOf, isDocumentMap, JavaArray, ScriptObject, type Value } from './values.js';

/** A value that compares and hashes by what it holds: dates, sets, points. */
export interface Comparable {
  equalTo(other: Value): boolean;
  hash(): number;
}

function isComparable(value: unknown): value is Comparable {
  return value instanceof ScriptObject && 'equalTo' in value;
}

/** Java's `a.equals(b)`: of the same class and the same value; of lists and maps element by element. */
export function equalValues(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object')
    return typeof a === 'number' && Number.isNaN(a) && typeof b === 'number' && Number.isNaN(b);
  if (a instanceof Boxed || a instanceof JsonText)
    return kindOf(a) === kindOf(b) && Object.is(numberIn(a), numberIn(b));
  const items = listItems(a);
  if (items !== null) return equalItems(items, listItems(b));
  if (isMap(a) || isDocumentMap(a)) return (isMap(b) || isDocumentMap(b)) && equalMaps(a, b);
  return isComparable(a) && a.equalTo(b);
}

function equalItems(a: readonly Value[], b: readonly Value[] | null): boolean {
  currentBudget().walk(ITEM_WORK);
  return b !== null && a.length === b.length && a.every((item, i) => equalValues(item, b[i]));
}

function equalMaps(a: object, b: object): boolean {
  if (mapSize(a) !== mapSize(b)) return false;
  for (const [key, value] of entriesOf(a)) if (!mapHas(b, key) || !equalValues(value, mapGet(b, key))) return false;
  return true;
}

/** Work of looking into a list, in values: lists of lists are a tree that doubles each time. */
const ITEM_WORK = 4;

/** Length of texts from which on hashing them counts. */
const LONG_TEXT = 512;

const WORDS = new DataView(new ArrayBuffer(8));

function doubleHash(value: number): number {
  WORDS.setFloat64(0, Number.isNaN(value) ? NaN : value);
  return WORDS.getInt32(0) ^ WORDS.getInt32(4);
}

function longHash(value: bigint): number {
  WORDS.setBigInt64(0, value);
  return WORDS.getInt32(0) ^ WORDS.getInt32(4);
}

function boxedHash(boxed: Boxed): number {
  if (boxed.kind === 'Double') return doubleHash(boxed.value);
  if (boxed.kind === 'Long') return longHash(BigInt(boxed.value));
  if (boxed.kind !== 'Float') return boxed.value;
  WORDS.setFloat32(0, boxed.value);
  return WORDS.getInt32(0);
}

/** Java's `hashCode` of a value. Source: the specification of java.util and java.lang. */
export function hashOf(value: Value): number {
  switch (typeof value) {
    case 'string':
      if (value.length > LONG_TEXT) currentBudget().walk(value.length >> 3);
      return textHash(value);
    case 'boolean':
      return value ? 1231 : 1237;
    case 'bigint':
      return longHash(value);
    case 'number':
      if ((value | 0) === value && !Object.is(value, -0)) return value;
      return Number.isInteger(value) ? longHash(BigInt(value)) : doubleHash(value);
    case 'object':
      return value === null ? 0 : objectHash(value);
    default:
      return 0;
  }
}

function objectHash(value: object): number {
  if (value instanceof Boxed) return boxedHash(value);
  if (value instanceof JsonText) return doubleHash(Number(value.text));
  const items = listItems(value);
  if (items !== null) return hashOfItems(items);
  if (isMap(value) || isDocumentMap(value)) {
    let hash = 0;
    for (const [key, item] of entriesOf(value)) hash = (hash + (hashOf(key) ^ hashOf(item))) | 0;
    return hash;
  }
  if (isComparable(value)) return value.hash();
  return value instanceof JavaArray ? value.values.length : 0;
}

function hashOfItems(items: readonly Value[]): number {
  currentBudget().walk(items.length + ITEM_WORK);
  return items.reduce((hash: number, item) => (Math.imul(31, hash) + hashOf(item)) | 0, 1);
}

/** Returns a key under which equal values are the same to JavaScript's Map. */
export function identityOf(value: Value): unknown {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? `\0S${value}` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Boxed || value instanceof JsonText) {
    const number = numberIn(value);
    return `\0B${kindOf(value)}:${Object.is(number, -0) ? '-0' : number}`;
  }
  const items = listItems(value);
  if (items !== null) {
    currentBudget().walk(items.length + ITEM_WORK);
    return `\0L[${items.map(part).join()}]`;
  }
  if (isMap(value) || isDocumentMap(value)) {
    const parts = [...entriesOf(value)].map(([key, item]) => `${part(key)}:${part(item)}`);
    return `\0M{${parts.sort().join()}}`;
  }
  return isComparable(value) && 'identity' in value ? `\0${classOf(value)}${String(value.identity)}` : value;
}

function part(value: Value): string {
  const identity = identityOf(value);
  return `${typeof identity}${JSON.stringify(typeof identity === 'bigint' ? String(identity) : identity)}`;
}
