import { iterate } from '../../runtime/access.js';
import { currentBudget } from '../../runtime/budget.js';
import { type Fn, first, has, removeFrom, sortList, valuesOf } from '../../runtime/collections.js';
import { compareValues } from '../../runtime/comparison.js';
import { equalValues, hashOf } from '../../runtime/equality.js';
import { type Comparator, JavaMap } from '../../runtime/java-map.js';
import { JavaSet } from '../../runtime/java-set.js';
import { textOf } from '../../runtime/java-text.js';
import { listAdd, listGet, mutable } from '../../runtime/lists.js';
import { entriesOf } from '../../runtime/maps.js';
import { NamedList, SortedQueue } from '../../runtime/named-list.js';
import { illegalArgument, nullPointer, Thrown } from '../../runtime/thrown.js';
import { JavaArray, type Value } from '../../runtime/values.js';
import type { AllowTable, ClassRow } from './class-row.js';
import { Cursor, collectionRow, iterableRow, listRow } from './collections.js';
import { entriesIn, entryRow, mapRow } from './maps.js';
import { DEQUE, doubleEnded, QUEUE } from './queues.js';

function copyMap(order: 'hash' | 'linked' | 'tree', from: object): JavaMap {
  const map = new JavaMap(order);
  for (const [key, value] of entriesOf(from)) map.put(key, value);
  return map;
}

function copySet(order: 'hash' | 'linked' | 'tree', from: Value): JavaSet {
  const set = new JavaSet(order);
  for (const value of valuesOf(from)) set.add(value);
  return set;
}

const newList = { '()': (): Value[] => [], '(Collection)': (from: Value) => [...valuesOf(from)] };

const frozen = (items: readonly Value[]): readonly Value[] => Object.freeze([...items]);

const collectionsRow: ClassRow = {
  name: 'java.util.Collections',
  constants: { 'List EMPTY_LIST': Object.freeze([]) },
  statics: {
    'List emptyList()': () => frozen([]),
    'Map emptyMap()': () => new JavaMap('hash').freeze(),
    'Set emptySet()': () => new JavaSet('hash'),
    'boolean disjoint(Collection,Collection)': (a: Value, b: Value) => !valuesOf(a).some((value) => has(b, value)),
    'void fill(List,def)': (list: Value, value: Value) => void mutable(list).fill(value),
    'int frequency(Collection,def)': (values: Value, value: Value) =>
      valuesOf(values).filter((one) => equalValues(one, value)).length,
    'def max(Collection)': (values: Value) => extreme(values, compareValues, 1),
    'def max(Collection,Comparator)': (values: Value, order: Comparator) => extreme(values, order, 1),
    'def min(Collection)': (values: Value) => extreme(values, compareValues, -1),
    'def min(Collection,Comparator)': (values: Value, order: Comparator) => extreme(values, order, -1),
    'List nCopies(int,def)': (count: number, value: Value) => {
      if (count < 0) throw illegalArgument(`List length = ${count}`);
      currentBudget().charge(count * 16);
      return frozen(Array.from({ length: count }, () => value));
    },
    'void reverse(List)': (list: Value) => void mutable(list).reverse(),
    'Comparator reverseOrder()': () => (a: Value, b: Value) => compareValues(b, a),
    'Comparator reverseOrder(Comparator)': (order: Fn) => (a: Value, b: Value) => order(b, a),
    'Set singleton(def)': (value: Value) => copySet('hash', [value]),
    'List singletonList(def)': (value: Value) => frozen([value]),
    'Map singletonMap(def,def)': (key: Value, value: Value) => {
      const map = new JavaMap('hash');
      map.put(key, value);
      return map.freeze();
    },
    'void sort(List)': (list: Value) => sortList(list, null),
    'void sort(List,Comparator)': sortList,
    'void swap(List,int,int)': (list: Value, a: number, b: number) => {
      const items = mutable(list);
      const former = listGet(items, a);
      items[a] = listGet(items, b);
      items[b] = former;
    },
    'Collection unmodifiableCollection(Collection)': (values: Value) => frozen(valuesOf(values)),
    'List unmodifiableList(List)': (values: Value) => frozen(valuesOf(values)),
    'Map unmodifiableMap(Map)': (map: object) => copyMap('linked', map).freeze(),
    'Set unmodifiableSet(Set)': (values: Value) => {
      const set = copySet('linked', values);
      set.map.freeze();
      return set;
    },
  },
};

function extreme(values: Value, order: Comparator, sign: number): Value {
  const items = valuesOf(values);
  if (items.length === 0) throw new Thrown('java.util.NoSuchElementException', null);
  return items.reduce((best, value) => (Number(textOf(order(value, best))) * sign > 0 ? value : best));
}

const objectsRow: ClassRow = {
  name: 'java.util.Objects',
  statics: {
    'int compare(def,def,Comparator)': (a: Value, b: Value, order: Fn) => (a === b ? 0 : order(a, b)),
    'boolean equals(Object,Object)': equalValues,
    'int hash(Object[])': (values: JavaArray) => hashOf(values.values),
    'int hashCode(Object)': (value: Value) => (value === null ? 0 : hashOf(value)),
    'boolean isNull(Object)': (value: Value) => value === null,
    'boolean nonNull(Object)': (value: Value) => value !== null,
    'def requireNonNull(def)': (value: Value) => {
      if (value === null) throw nullPointer(null);
      return value;
    },
    'def requireNonNull(def,String)': (value: Value, told: string) => {
      if (value === null) throw nullPointer(told);
      return value;
    },
    'String toString(Object)': textOf,
    'String toString(Object,String)': (value: Value, fallback: string) => (value === null ? fallback : textOf(value)),
  },
};

const LISTS = ['java.util.ArrayList', 'java.util.AbstractList'];

/** Constructors of a list of its own class. */
const named = (name: string): NonNullable<ClassRow['constructors']> => ({
  '()': () => NamedList.named(name),
  '(Collection)': (from: Value) => NamedList.named(name, valuesOf(from)),
});

const lastOf = (list: Value): Value => {
  const items = valuesOf(list);
  if (items.length === 0) throw new Thrown('java.util.EmptyStackException', null);
  return items.at(-1)!;
};

const stackRow: ClassRow = {
  name: 'java.util.Stack',
  parents: ['java.util.Vector'],
  constructors: { '()': () => NamedList.named('java.util.Stack') },
  methods: {
    'boolean empty()': (list: Value) => valuesOf(list).length === 0,
    'def peek()': lastOf,
    'def pop()': (list: Value) => {
      const last = lastOf(list);
      mutable(list).pop();
      return last;
    },
    'def push(def)': (list: Value, value: Value) => {
      listAdd(list, value);
      return value;
    },
    'int search(def)': (list: Value, value: Value) => {
      const items = valuesOf(list);
      const place = items.findLastIndex((one) => equalValues(one, value));
      return place < 0 ? -1 : items.length - place;
    },
  },
};

const vectorRow: ClassRow = {
  name: 'java.util.Vector',
  parents: ['java.util.List'],
  constructors: named('java.util.Vector'),
  methods: {
    'void addElement(def)': (list: Value, value: Value) => void listAdd(list, value),
    'def elementAt(int)': (list: Value[], index: number) => listGet(list, index),
    'def firstElement()': first,
    'def lastElement()': (list: Value) => (first(list), valuesOf(list).at(-1)!),
    'void removeAllElements()': (list: Value) => void (mutable(list).length = 0),
    'boolean removeElement(def)': removeFrom,
  },
};

/** Collections of java.util. */
export const UTIL: AllowTable = [
  iterableRow,
  {
    name: 'java.util.Iterator',
    methods: {
      'boolean hasNext()': (cursor: Cursor) => cursor.hasNext,
      'def next()': (cursor: Cursor) => cursor.next(),
      'void remove()': (cursor: Cursor) => cursor.remove(),
      'void forEachRemaining(java.util.function.Consumer)': (cursor: Cursor, act: Fn) => {
        while (cursor.hasNext) act(cursor.next());
      },
    },
  },
  collectionRow,
  listRow,
  ...LISTS.map((name): ClassRow => ({ name, parents: ['java.util.List'], constructors: newList })),
  vectorRow,
  stackRow,
  {
    name: 'java.util.LinkedList',
    parents: ['java.util.List', 'java.util.Deque'],
    constructors: doubleEnded('java.util.LinkedList'),
  },
  {
    name: 'java.util.PriorityQueue',
    parents: ['java.util.Queue'],
    constructors: { '()': () => SortedQueue.by(null), '(Comparator)': (order: Fn) => SortedQueue.by(order) },
    methods: {
      'boolean remove(def)': (queue: SortedQueue, value: Value) => {
        const place = valuesOf(queue).findIndex((one) => equalValues(one, value));
        if (place >= 0) queue.take(place);
        return place >= 0;
      },
    },
  },
  { name: 'java.util.Queue', parents: ['java.util.Collection'], methods: QUEUE },
  { name: 'java.util.Deque', parents: ['java.util.Queue'], methods: DEQUE },
  { name: 'java.util.ArrayDeque', parents: ['java.util.Deque'], constructors: doubleEnded('java.util.ArrayDeque') },
  { name: 'java.util.Set', parents: ['java.util.Collection'], methods: { 'boolean remove(def)': removeFrom } },
  ...(['hash', 'linked', 'tree'] as const).map(
    (order): ClassRow => ({
      name: `java.util.${{ hash: 'HashSet', linked: 'LinkedHashSet', tree: 'TreeSet' }[order]}`,
      parents: ['java.util.Set'],
      constructors: {
        '()': () => new JavaSet(order),
        ...(order === 'tree'
          ? { '(Comparator)': (compare: Comparator) => new JavaSet('tree', compare) }
          : { '(Collection)': (from: Value) => copySet(order, from) }),
      },
      ...(order === 'tree'
        ? { methods: { 'def first()': first, 'def last()': (set: Value) => (first(set), valuesOf(set).at(-1)!) } }
        : {}),
    }),
  ),
  mapRow,
  entryRow,
  ...(['hash', 'linked', 'tree'] as const).map(
    (order): ClassRow => ({
      name: `java.util.${{ hash: 'HashMap', linked: 'LinkedHashMap', tree: 'TreeMap' }[order]}`,
      parents: ['java.util.Map'],
      constructors: {
        '()': () => new JavaMap(order),
        ...(order === 'tree'
          ? { '(Comparator)': (compare: Comparator) => new JavaMap('tree', compare) }
          : { '(Map)': (from: object) => copyMap(order, from) }),
      },
      ...(order === 'tree'
        ? {
            methods: {
              'def firstKey()': (map: JavaMap) => first(map.keys()),
              'def lastKey()': (map: JavaMap) => (first(map.keys()), map.keys().at(-1)!),
              'java.util.Map.Entry firstEntry()': (map: JavaMap) => entriesIn(map)[0] ?? null,
              'java.util.Map.Entry lastEntry()': (map: JavaMap) => entriesIn(map).at(-1) ?? null,
            },
          }
        : {}),
    }),
  ),
  collectionsRow,
  objectsRow,
  {
    name: 'java.util.Arrays',
    statics: {
      'List asList(Object[])': (array: JavaArray) => [...iterate(array)],
      'String deepToString(Object[])': (array: JavaArray) => textOf([...iterate(array)]),
    },
  },
];
