import { currentBudget } from './budget.js';
import { arrayIn, DoubleEnded } from './double-ended.js';
import { NamedList, SortedQueue } from './named-list.js';
import { outOfBounds, unsupported } from './thrown.js';
import { HostList, type Value } from './values.js';

export function isList(value: unknown): value is Value[] | HostList {
  return Array.isArray(value) || value instanceof HostList;
}

/** Returns the items of a list as an array that is only read. */
export function itemsOf(list: readonly Value[] | HostList): readonly Value[] {
  return arrayIn(list) ?? [...list];
}

/** Returns a list that may be changed; refuses one that may only be read. */
export function mutable(list: unknown): Value[] {
  const items = arrayIn(list);
  if (items === null || Object.isFrozen(items)) throw unsupported();
  const budget = currentBudget();
  budget.isChanged = true;
  budget.walk(items instanceof NamedList ? items.length : items.length >> 6);
  return items;
}

/** Bytes of a list's place. */
const ITEM_BYTES = 16;

export function listAdd(list: unknown, value: Value): boolean {
  currentBudget().charge(ITEM_BYTES);
  if (list instanceof DoubleEnded) {
    currentBudget().isChanged = true;
    list.addLast(value);
    return true;
  }
  const items = mutable(list);
  if (items instanceof SortedQueue) items.insert(value);
  else items.push(value);
  return true;
}

/**
 * Puts a value before the one at a place. A loop: `copyWithin` takes 60 times as long, and so do `unshift` and `splice`
 * for lists of a class of their own.
 */
export function insertAt(list: unknown, place: number, value: Value): void {
  const items = mutable(list);
  currentBudget().charge(ITEM_BYTES);
  items.push(value);
  for (let i = items.length - 1; i > place; i--) items[i] = items[i - 1];
  items[place] = value;
}

function placeIn(index: number, length: number): number {
  const place = index < 0 ? index + length : index;
  if (place < 0 || place >= length) throw outOfBounds(place, length);
  return place;
}

/** Reads `list[index]`: a negative index counts from the end. */
export function listGet(list: readonly Value[] | HostList, index: number): Value {
  const place = placeIn(index, list.length);
  return (Array.isArray(list) ? list[place] : (list as HostList).at(place)) ?? null;
}

export function listSet(list: unknown, index: number, value: Value): Value {
  const items = mutable(list);
  items[placeIn(index, items.length)] = value;
  return value;
}
