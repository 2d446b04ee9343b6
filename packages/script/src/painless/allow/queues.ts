import { currentBudget } from '../../runtime/budget.js';
import { valuesOf } from '../../runtime/collections.js';
import { DoubleEnded } from '../../runtime/double-ended.js';
import { listAdd } from '../../runtime/lists.js';
import { SortedQueue } from '../../runtime/named-list.js';
import { Thrown } from '../../runtime/thrown.js';
import type { Value } from '../../runtime/values.js';
import type { ClassRow } from './class-row.js';

/** Constructors of a list with two ends. */
export const doubleEnded = (name: string): NonNullable<ClassRow['constructors']> => ({
  '()': () => new DoubleEnded(name),
  '(Collection)': (from: Value) => new DoubleEnded(name, valuesOf(from)),
});

/** Bytes of a place in a list. */
const PLACE_BYTES = 16;

function addFirst(list: DoubleEnded, value: Value): void {
  currentBudget().charge(PLACE_BYTES);
  currentBudget().isChanged = true;
  list.addFirst(value);
}

const addLast = (list: DoubleEnded, value: Value): void => void listAdd(list, value);

function takeFirst(list: DoubleEnded): Value {
  currentBudget().isChanged = true;
  return list.takeFirst();
}

function takeLast(list: DoubleEnded): Value {
  currentBudget().isChanged = true;
  return list.takeLast();
}

const peekFirst = (list: DoubleEnded): Value => list.at(0);
const peekLast = (list: DoubleEnded): Value => (list.length === 0 ? null : list.at(list.length - 1));

/** Returns a list or queue that is not empty. Throws java.util.NoSuchElementException for one that is. */
function filled<L extends DoubleEnded | SortedQueue>(list: L): L {
  if (list.length === 0) throw new Thrown('java.util.NoSuchElementException', null);
  return list;
}

/** Members of a queue with two ends. */
export const DEQUE: NonNullable<ClassRow['methods']> = {
  'void addFirst(def)': addFirst,
  'void addLast(def)': addLast,
  'def element()': (list: DoubleEnded) => peekFirst(filled(list)),
  'def getFirst()': (list: DoubleEnded) => peekFirst(filled(list)),
  'def getLast()': (list: DoubleEnded) => peekLast(filled(list)),
  'boolean offer(def)': (list: DoubleEnded, value: Value) => (addLast(list, value), true),
  'boolean offerFirst(def)': (list: DoubleEnded, value: Value) => (addFirst(list, value), true),
  'boolean offerLast(def)': (list: DoubleEnded, value: Value) => (addLast(list, value), true),
  'def peek()': peekFirst,
  'def peekFirst()': peekFirst,
  'def peekLast()': peekLast,
  'def poll()': takeFirst,
  'def pollFirst()': takeFirst,
  'def pollLast()': takeLast,
  'def pop()': (list: DoubleEnded) => takeFirst(filled(list)),
  'void push(def)': addFirst,
  'def remove()': (list: DoubleEnded) => takeFirst(filled(list)),
  'def removeFirst()': (list: DoubleEnded) => takeFirst(filled(list)),
  'def removeLast()': (list: DoubleEnded) => takeLast(filled(list)),
};

type AnyQueue = DoubleEnded | SortedQueue;

const taken = (queue: AnyQueue): Value => (queue instanceof SortedQueue ? queue.take() : takeFirst(queue));
const head = (queue: AnyQueue): Value => queue.at(0) ?? null;

/** Queues give and take their first value; those of a PriorityQueue are in order. */
export const QUEUE: NonNullable<ClassRow['methods']> = {
  'def element()': (queue: AnyQueue) => head(filled(queue)),
  'boolean offer(def)': listAdd,
  'def peek()': head,
  'def poll()': taken,
  'def remove()': (queue: AnyQueue) => taken(filled(queue)),
};
