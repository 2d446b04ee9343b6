import { iterate } from './access.js';
import { unboxNumber } from './boxes.js';
import { currentBudget } from './budget.js';
import { compareValues } from './comparison.js';
import { equalValues } from './equality.js';
import { JavaSet } from './java-set.js';
import { MapValues } from './map-views.js';
import { isList, itemsOf, listAdd, mutable } from './lists.js';
import { Thrown } from './thrown.js';
import type { Value } from './values.js';

export type Fn = (...values: Value[]) => Value;

export const isTrue = (value: Value): boolean => value === true;

/** Returns all values of a collection. */
export function valuesOf(collection: Value): readonly Value[] {
  const values = isList(collection) ? itemsOf(collection) : [...iterate(collection)];
  currentBudget().walk(values.length);
  return values;
}

export function sizeOf(collection: Value): number {
  if (isList(collection)) return collection.length;
  return collection instanceof JavaSet ? collection.size : valuesOf(collection).length;
}

export function has(collection: Value, value: Value): boolean {
  if (collection instanceof JavaSet) return collection.has(value);
  return valuesOf(collection).some((one) => equalValues(one, value));
}

export function addTo(collection: Value, value: Value): boolean {
  if (collection instanceof JavaSet) return collection.add(value);
  return listAdd(collection, value);
}

export function addAll(collection: Value, values: Value): boolean {
  let isChanged = false;
  for (const value of [...valuesOf(values)]) isChanged = addTo(collection, value) || isChanged;
  return isChanged;
}

/** Keeps the values for which a test says so; tells whether any went. */
export function keep(collection: Value, test: (value: Value) => boolean): boolean {
  if (collection instanceof JavaSet) {
    const gone = collection.values().filter((value) => !test(value));
    for (const value of gone) collection.delete(value);
    return gone.length > 0;
  }
  if (collection instanceof MapValues) return collection.keep(test);
  const items = mutable(collection);
  const kept = items.filter(test);
  const isChanged = kept.length !== items.length;
  if (isChanged) items.splice(0, items.length, ...kept);
  return isChanged;
}

export function removeFrom(collection: Value, value: Value): boolean {
  if (collection instanceof JavaSet || collection instanceof MapValues) return collection.delete(value);
  const items = mutable(collection);
  const place = items.findIndex((one) => equalValues(one, value));
  if (place >= 0) items.splice(place, 1);
  return place >= 0;
}

export function clear(collection: Value): void {
  if (collection instanceof JavaSet) collection.clear();
  else if (collection instanceof MapValues) collection.keep(() => false);
  else mutable(collection).length = 0;
}

export function first(list: Value): Value {
  const items = valuesOf(list);
  if (items.length === 0) throw new Thrown('java.util.NoSuchElementException', null);
  return items[0]!;
}

/** Sorts in place by a comparator; null is the natural order. Every comparison is counted as work of the script. */
export function sortList(list: Value, order: Fn | null): void {
  const items = mutable(list);
  currentBudget().charge(items.length * 16);
  const compare = order ?? (compareValues as Fn);
  items.sort((a, b) => unboxNumber(compare(a, b), 'int', false) as number);
}
