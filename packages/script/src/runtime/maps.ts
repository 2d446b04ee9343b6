import { setOwn } from '@shoal/json';
import { currentBudget } from './budget.js';
import { unsupported } from './thrown.js';
import { MapObject, type Value } from './values.js';

/** Whether a value is a map of scripts or of the host; a map of JSON is none of these. */
export function isMap(value: unknown): value is MapObject {
  return value instanceof MapObject;
}

type Document = Record<string, Value>;

/** Returns the value of a key; null where there is none. */
export function mapGet(map: object, key: Value): Value {
  if (isMap(map)) return map.get(key);
  return typeof key === 'string' ? documentGet(map as Document, key) : null;
}

/** Returns the value of a key of a map of JSON; null where there is none. */
export function documentGet(map: Document, key: string): Value {
  const value = map[key];
  if (value === undefined) return null;
  // What a map of JSON inherits are functions, and what `__proto__` names. Most values are neither, and asking for
  // own keys takes several times as long.
  return (typeof value !== 'function' && key !== '__proto__') || Object.hasOwn(map, key) ? value : null;
}

export function mapHas(map: object, key: Value): boolean {
  return isMap(map) ? map.has(key) : typeof key === 'string' && Object.hasOwn(map, key);
}

/** Bytes of a map's entry beside its value. */
const ENTRY_BYTES = 64;

/** Sets the value of a key and returns the former one. A map of JSON takes the text of a key that is none. */
export function mapPut(map: object, key: Value, value: Value): Value {
  if (isMap(map)) return map.put(key, value);
  return documentPut(map as Document, typeof key === 'string' ? key : String(key), value);
}

/** Sets the value of a key of a map of JSON and returns the former one. */
export function documentPut(map: Document, key: string, value: Value): Value {
  if (!Object.isExtensible(map)) throw unsupported();
  const budget = currentBudget();
  const former = documentGet(map, key);
  if ((typeof value === 'object' && value !== null) || Number.isNaN(value) || value === Infinity || value === -Infinity)
    budget.isChanged = true;
  if (former === null) budget.charge(ENTRY_BYTES);
  setOwn(map, key, value);
  return former;
}

export function mapRemove(map: object, key: Value): Value {
  if (isMap(map)) return map.remove(key);
  if (Object.isFrozen(map)) throw unsupported();
  const former = mapGet(map, key);
  if (typeof key === 'string' && Object.hasOwn(map, key)) delete (map as Document)[key];
  return former;
}

export function mapSize(map: object): number {
  // Of a view with 60,000 members `Object.keys` asks for each whether it is enumerable; all members of JSON are.
  return isMap(map) ? map.size : Reflect.ownKeys(map).length;
}

export function mapClear(map: object): void {
  if (isMap(map)) map.clear();
  else for (const key of keysOf(map)) mapRemove(map, key);
}

export function keysOf(map: object): Value[] {
  return isMap(map) ? map.keys() : Object.keys(map);
}

/** Returns the entries in the order in which Java would give them. */
export function entriesOf(map: object): [Value, Value][] {
  const entries = isMap(map) ? map.entries() : Object.entries(map);
  currentBudget().walk(entries.length);
  return entries;
}
