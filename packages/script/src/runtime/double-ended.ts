import { nullPointer } from './thrown.js';
import { HostList, type Value } from './values.js';

/** Places that are made free in front of a list that has none. */
const ROOM_MIN = 16;
const LINKED_LIST = 'java.util.LinkedList';

/**
 * A LinkedList or an ArrayDeque. Both ends take and give a value in constant time on the average: the values stand in
 * an array behind free places, which double when they are used up.
 *
 *   #places:  [ -  -  -  a  b  c ]
 *                       ^ #first
 */
export class DoubleEnded extends HostList {
  readonly javaClass: string;
  #places: Value[];
  #first = 0;

  constructor(javaClass: string, values: Iterable<Value> = []) {
    super();
    this.javaClass = javaClass;
    this.#places = [...values];
  }

  get length(): number {
    return this.#places.length - this.#first;
  }

  at(index: number): Value {
    return this.#places[this.#first + index] ?? null;
  }

  /** Whether it is a java.util.List, too, which is equal to others of the same values. */
  get isList(): boolean {
    return this.javaClass === LINKED_LIST;
  }

  addFirst(value: Value): void {
    this.#check(value);
    if (this.#first === 0) this.#makeRoom(Math.max(ROOM_MIN, this.length));
    this.#places[--this.#first] = value;
  }

  addLast(value: Value): void {
    this.#check(value);
    this.#places.push(value);
  }

  /** Takes the first value out; null where there is none. */
  takeFirst(): Value {
    if (this.length === 0) return null;
    const value = this.#places[this.#first]!;
    this.#places[this.#first++] = null;
    if (this.#first > ROOM_MIN && this.#first > 2 * this.length) this.#makeRoom(0);
    return value;
  }

  /** Takes the last value out; null where there is none. */
  takeLast(): Value {
    return this.length === 0 ? null : this.#places.pop()!;
  }

  /** Returns the array of the values, without free places in front: what changes it changes the list. */
  items(): Value[] {
    if (this.#first > 0) this.#makeRoom(0);
    return this.#places;
  }

  /** Refuses null, which an ArrayDeque cannot hold. */
  #check(value: Value): void {
    if (value === null && !this.isList) throw nullPointer(null);
  }

  #makeRoom(count: number): void {
    const values = this.#places.slice(this.#first);
    this.#places = count === 0 ? values : new Array<Value>(count).fill(null).concat(values);
    this.#first = count;
  }
}

/** Returns the array of a list whose values stand in one; null for every other value. */
export function arrayIn(value: unknown): Value[] | null {
  if (Array.isArray(value)) return value;
  return value instanceof DoubleEnded ? value.items() : null;
}

/** Returns the values of a java.util.List; null for every other value: an ArrayDeque is equal to itself only. */
export function listItems(value: unknown): Value[] | null {
  return value instanceof DoubleEnded && !value.isList ? null : arrayIn(value);
}
