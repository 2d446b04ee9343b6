import { KIND, kindOf, numberIn } from './boxes.js';
import { currentBudget } from './budget.js';
import { cannotCast, nullPointer } from './thrown.js';
import { classOf, ScriptObject, type Value } from './values.js';

/** A value with an order of its own: dates, big numbers. */
export interface Ordered {
  compare(other: Value): number;
}

/** Classes of values whose order this file knows. */
const COMPARABLE = /^java\.lang\./;

/** Java's `a.compareTo(b)`: numbers of one class, texts by UTF-16 units, booleans. */
export function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) throw nullPointer(null);
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (kindOf(a) !== KIND.none && kindOf(a) === kindOf(b)) {
    const x = numberIn(a);
    const y = numberIn(b);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  if (a instanceof ScriptObject && 'compare' in a && b instanceof ScriptObject)
    return (a as unknown as Ordered).compare(b);
  const [to, from] = [classOf(a), classOf(b)];
  throw COMPARABLE.test(to) || 'compare' in (a as object)
    ? cannotCast(from, to)
    : cannotCast(to, 'java.lang.Comparable');
}

/** Length of texts from which on comparing them counts. */
const LONG_TEXT = 512;

/** Java's `String.compareTo`: the difference of the first units that differ, else of the lengths. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  if (length > LONG_TEXT) currentBudget().walk(length >> 3);
  for (let i = 0; i < length; i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
