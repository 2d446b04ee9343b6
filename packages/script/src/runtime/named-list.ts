import { unboxNumber } from './boxes.js';
import { currentBudget } from './budget.js';
import { compareValues } from './comparison.js';
import type { Value } from './values.js';

/** A list of another class than ArrayList: a LinkedList, an ArrayDeque, a Stack. */
export class NamedList extends Array<Value> {
  javaClass = 'java.util.LinkedList';

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

/** A java.util.PriorityQueue: its values are kept in order, so that the first is the least. */
export class SortedQueue extends NamedList {
  compare: (a: Value, b: Value) => Value = compareValues;

  static by(compare: ((a: Value, b: Value) => Value) | null): SortedQueue {
    const queue = new SortedQueue();
    queue.javaClass = 'java.util.PriorityQueue';
    if (compare) queue.compare = compare;
    return queue;
  }

  /** Inserts behind the values that are not greater. */
  insert(value: Value): void {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((unboxNumber(this.compare(value, this[middle]), 'int', false) as number) < 0) high = middle;
      else low = middle + 1;
    }
    currentBudget().charge((this.length - low) >> 3);
    this.splice(low, 0, value);
  }
}
