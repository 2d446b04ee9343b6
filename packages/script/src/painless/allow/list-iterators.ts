import { insertAt, listAdd, listGet, mutable } from '../../runtime/lists.js';
import { currentBudget } from '../../runtime/budget.js';
import { valuesOf } from '../../runtime/collections.js';
import { DoubleEnded } from '../../runtime/double-ended.js';
import { equalValues } from '../../runtime/equality.js';
import { JavaMap } from '../../runtime/java-map.js';
import { JavaSet } from '../../runtime/java-set.js';
import { NamedList } from '../../runtime/named-list.js';
import { Thrown } from '../../runtime/thrown.js';
import { ScriptObject, type Value } from '../../runtime/values.js';
import { Cursor } from './collections.js';
import type { AllowTable, ClassRow } from './class-row.js';
import { entriesIn } from './maps.js';

/** java.util.ListIterator: a place between two values of a list. */
class ListCursor extends ScriptObject {
  readonly javaClass = 'java.util.ListIterator';
  readonly #list: Value[];
  #place: number;
  /** The value that was returned last; -1 if there is none, or if the list was changed since. */
  #last = -1;

  constructor(list: Value[], place: number) {
    super();
    if (place < 0 || place > list.length) throw new Thrown('java.lang.IndexOutOfBoundsException', `Index: ${place}`);
    this.#list = list;
    this.#place = place;
  }

  get hasNext(): boolean {
    return this.#place < this.#list.length;
  }

  get place(): number {
    return this.#place;
  }

  next(): Value {
    if (!this.hasNext) throw new Thrown('java.util.NoSuchElementException', null);
    this.#last = this.#place;
    return listGet(this.#list, this.#place++);
  }

  set(value: Value): void {
    mutable(this.#list)[this.#taken()] = value;
  }

  remove(): void {
    const at = this.#taken();
    mutable(this.#list).splice(at, 1);
    if (at < this.#place) this.#place--;
    this.#last = -1;
  }

  add(value: Value): void {
    insertAt(this.#list, this.#place++, value);
    this.#last = -1;
  }

  #taken(): number {
    if (this.#last < 0) throw new Thrown('java.lang.IllegalStateException', null);
    return this.#last;
  }
}

const iteratorRow: ClassRow = {
  name: 'java.util.ListIterator',
  parents: ['java.util.Iterator'],
  methods: {
    'void add(def)': (cursor: ListCursor, value: Value) => cursor.add(value),
    'boolean hasPrevious()': ({ place }: ListCursor) => place > 0,
    'int nextIndex()': ({ place }: ListCursor) => place,
    'int previousIndex()': ({ place }: ListCursor) => place - 1,
    'void set(def)': (cursor: ListCursor, value: Value) => cursor.set(value),
  },
};

function copyOfMap(map: Value, order: 'linked' | 'tree'): JavaMap {
  const copy = map instanceof JavaMap ? map.emptyCopy() : new JavaMap(order);
  for (const { key, value } of entriesIn(map as object)) copy.put(key, value);
  return copy;
}

function copyOfSet(set: JavaSet): JavaSet {
  return JavaSet.over(copyOfMap(set.map, 'linked'));
}

const clones = (names: readonly string[], copy: (value: never) => unknown): AllowTable =>
  names.map((name) => ({ name: `java.util.${name}`, methods: { 'def clone()': copy } }));

/** Iterators of lists in both directions, enumerations, copies. */
export const LIST_ITERATORS: AllowTable = [
  iteratorRow,
  {
    name: 'java.util.List',
    methods: {
      'ListIterator listIterator()': (list: Value[]) => new ListCursor(list, 0),
      'ListIterator listIterator(int)': (list: Value[], place: number) => new ListCursor(list, place),
    },
  },
  {
    name: 'java.util.Enumeration',
    parents: ['java.util.Iterator'],
    methods: {
      'boolean hasMoreElements()': ({ hasNext }: Cursor) => hasNext,
      'def nextElement()': (cursor: Cursor) => cursor.next(),
    },
  },
  {
    name: 'java.util.Collections',
    statics: {
      'Iterator emptyIterator()': () => new Cursor([]),
      'ListIterator emptyListIterator()': () => new ListCursor([], 0),
      'Enumeration emptyEnumeration()': () => new Cursor([]),
      'Enumeration enumeration(Collection)': (values: Value) => new Cursor(values),
      'int lastIndexOfSubList(List,List)': (list: Value, part: Value) =>
        lastIndexOfPart(valuesOf(list), valuesOf(part)),
      'void copy(List,List)': (to: Value, from: Value) => copyInto(to, valuesOf(from)),
      'List list(Enumeration)': (cursor: Cursor) => {
        const list: Value[] = [];
        while (cursor.hasNext) listAdd(list, cursor.next());
        return list;
      },
    },
  },
  ...clones(['LinkedList', 'ArrayDeque'], (list: DoubleEnded) => new DoubleEnded(list.javaClass, valuesOf(list))),
  ...clones(['Vector'], (values: Value) => NamedList.named('java.util.Vector', valuesOf(values))),
  ...clones(['LinkedHashMap'], (map: Value) => copyOfMap(map, 'linked')),
  ...clones(['TreeMap'], (map: Value) => copyOfMap(map, 'tree')),
  ...clones(['LinkedHashSet', 'TreeSet'], copyOfSet),
];

function lastIndexOfPart(items: readonly Value[], part: readonly Value[]): number {
  currentBudget().walk(items.length);
  for (let i = items.length - part.length; i >= 0; i--)
    if (part.every((value, j) => equalValues(items[i + j], value))) return i;
  return -1;
}

function copyInto(to: Value, from: readonly Value[]): void {
  const items = mutable(to);
  if (from.length > items.length)
    throw new Thrown('java.lang.IndexOutOfBoundsException', 'Source does not fit in dest');
  from.forEach((value, i) => (items[i] = value));
}
