import { unboxNumber } from './boxes.js';
import { compareValues } from './comparison.js';
import type { Value } from './values.js';

/** A list of another class than ArrayList: a Vector, a Stack. */
export class NamedList extends Array<Value> {
  javaClass = 'java.util.Vector';

  /** What `map`, `filter` and `slice` make are plain lists. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  static named(javaClass: string, values: Iterable<Value> = []): NamedList {
    const list = new NamedList();
    list.javaClass = javaClass;
    for (const value of values) list.push(value);
    return list;
  }
}

/** A java.util.PriorityQueue: a binary heap, whose first value is the least. */
export class SortedQueue extends NamedList {
  compare: (a: Value, b: Value) => Value = compareValues;

  static by(compare: ((a: Value, b: Value) => Value) | null): SortedQueue {
    const queue = new SortedQueue();
    queue.javaClass = 'java.util.PriorityQueue';
    if (compare) queue.compare = compare;
    return queue;
  }

  #isLess(a: Value, b: Value): boolean {
    return (unboxNumber(this.compare(a, b), 'int', false) as number) < 0;
  }

  insert(value: Value): void {
    this.push(value);
    this.#up(this.length - 1);
  }

  /** Takes the value at a place out; the first by default. */
  take(place = 0): Value {
    const value = this[place] ?? null;
    const last = this.pop();
    if (place >= this.length) return value;
    this[place] = last;
    this.#down(place);
    if (this[place] === last) this.#up(place);
    return value;
  }

  #up(place: number): void {
    for (let at = place; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#isLess(this[at], this[parent])) return;
      [this[at], this[parent]] = [this[parent], this[at]];
      at = parent;
    }
  }

  #down(place: number): void {
    for (let at = place; ; ) {
      let least = 2 * at + 1;
      if (least >= this.length) return;
      if (least + 1 < this.length && this.#isLess(this[least + 1], this[least])) least++;
      if (!this.#isLess(this[least], this[at])) return;
      [this[at], this[least]] = [this[least], this[at]];
      at = least;
    }
  }
}
