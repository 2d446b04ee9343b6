import { iterate } from '../../runtime/access.js';
import { unboxNumber } from '../../runtime/boxes.js';
import { currentBudget } from '../../runtime/budget.js';
import {
  addAll,
  addTo,
  clear,
  type Fn,
  has,
  isTrue,
  keep,
  removeFrom,
  sizeOf,
  sortList,
  valuesOf,
} from '../../runtime/collections.js';
import { equalValues } from '../../runtime/equality.js';
import { JavaMap } from '../../runtime/java-map.js';
import { textOf } from '../../runtime/java-text.js';
import { insertAt, isList, listAdd, listGet, mutable } from '../../runtime/lists.js';
import { illegalArgument, outOfBounds, Thrown } from '../../runtime/thrown.js';
import { type HostList, JavaArray, ScriptObject, type Value } from '../../runtime/values.js';
import { byPath } from './by-path.js';
import type { ClassRow } from './class-row.js';

export type List = Value[] | HostList;

/** Sums numbers as Painless's own `sum` does: in doubles. */
function sum(values: Value, of: Fn = (value) => value): number {
  return valuesOf(values).reduce(
    (total: number, value) => total + (unboxNumber(of(value), 'double', false) as number),
    0,
  );
}

function checkInsert(index: number, length: number): void {
  if (index < 0 || index > length)
    throw new Thrown('java.lang.IndexOutOfBoundsException', `Index: ${index}, Size: ${length}`);
}

function removeAt(list: Value, index: number): Value {
  const items = mutable(list);
  if (index < 0 || index >= items.length) throw outOfBounds(index, items.length);
  return items.splice(index, 1)[0] ?? null;
}

/** Groups values by what a lambda makes of each. */
function groupBy(values: readonly Value[], of: Fn): JavaMap {
  const groups = new JavaMap('linked');
  for (const value of values) {
    const key = of(value);
    const group = groups.get(key) as Value[] | null;
    if (group) listAdd(group, value);
    else groups.put(key, [value]);
  }
  return groups;
}

export const iterableRow: ClassRow = {
  name: 'java.lang.Iterable',
  methods: {
    'void forEach(java.util.function.Consumer)': (values: Value, act: Fn) => {
      for (const value of iterate(values)) act(value);
    },
    'java.util.Iterator iterator()': (values: Value) => new Cursor(values),
    'boolean any(java.util.function.Predicate)': (values: Value, test: Fn) =>
      valuesOf(values).some((value) => isTrue(test(value))),
    'java.util.Collection asCollection()': (values: Value) => values,
    'java.util.List asList()': (values: Value) => (isList(values) ? values : [...valuesOf(values)]),
    'def each(java.util.function.Consumer)': (values: Value, act: Fn) => {
      for (const value of iterate(values)) act(value);
      return values;
    },
    'def eachWithIndex(java.util.function.ObjIntConsumer)': (values: Value, act: Fn) => {
      let place = 0;
      for (const value of iterate(values)) act(value, place++);
      return values;
    },
    'boolean every(java.util.function.Predicate)': (values: Value, test: Fn) =>
      valuesOf(values).every((value) => isTrue(test(value))),
    'java.util.List findResults(java.util.function.Function)': (values: Value, of: Fn) =>
      valuesOf(values)
        .map((value) => of(value))
        .filter((value) => value !== null),
    'java.util.Map groupBy(java.util.function.Function)': (values: Value, of: Fn) => groupBy(valuesOf(values), of),
    'String join(String)': (values: Value, delimiter: string) => valuesOf(values).map(textOf).join(delimiter),
    'double sum()': (values: Value) => sum(values),
    'double sum(java.util.function.ToDoubleFunction)': sum,
  },
};

/** An iterator over a collection; `remove` takes the last value out of it. */
export class Cursor extends ScriptObject {
  readonly javaClass = 'java.util.Iterator';
  readonly #source: Value;
  readonly #values: readonly Value[];
  #place = 0;

  /** `values` are those of the source, in the order in which the iterator gives them. */
  constructor(source: Value, values: readonly Value[] = [...valuesOf(source)]) {
    super();
    this.#source = source;
    this.#values = values;
  }

  get hasNext(): boolean {
    return this.#place < this.#values.length;
  }

  next(): Value {
    if (!this.hasNext) throw new Thrown('java.util.NoSuchElementException', null);
    return this.#values[this.#place++] ?? null;
  }

  remove(): void {
    if (this.#place === 0) throw new Thrown('java.lang.IllegalStateException', null);
    removeFrom(this.#source, this.#values[this.#place - 1] ?? null);
  }
}

export const collectionRow: ClassRow = {
  name: 'java.util.Collection',
  parents: ['java.lang.Iterable'],
  methods: {
    'boolean add(def)': addTo,
    'boolean addAll(Collection)': addAll,
    'void clear()': clear,
    'boolean contains(def)': has,
    'boolean containsAll(Collection)': (values: Value, wanted: Value) =>
      valuesOf(wanted).every((value) => has(values, value)),
    'boolean isEmpty()': (values: Value) => sizeOf(values) === 0,
    'boolean removeAll(Collection)': (values: Value, gone: Value) => keep(values, (value) => !has(gone, value)),
    'boolean removeIf(java.util.function.Predicate)': (values: Value, test: Fn) =>
      keep(values, (value) => !isTrue(test(value))),
    'boolean retainAll(Collection)': (values: Value, kept: Value) => keep(values, (value) => has(kept, value)),
    'int size()': sizeOf,
    'def[] toArray()': (values: Value) => new JavaArray('def', [...valuesOf(values)]),
    'java.util.List collect(java.util.function.Function)': (values: Value, of: Fn) =>
      valuesOf(values).map((value) => of(value)),
    'def collect(Collection,java.util.function.Function)': (values: Value, into: Value, of: Fn) => {
      for (const value of valuesOf(values)) addTo(into, of(value));
      return into;
    },
    'def find(java.util.function.Predicate)': (values: Value, test: Fn) =>
      valuesOf(values).find((value) => isTrue(test(value))) ?? null,
    'java.util.List findAll(java.util.function.Predicate)': (values: Value, test: Fn) =>
      valuesOf(values).filter((value) => isTrue(test(value))),
    'def findResult(java.util.function.Function)': (values: Value, of: Fn) => {
      for (const value of valuesOf(values)) {
        const result = of(value);
        if (result !== null) return result;
      }
      return null;
    },
    'def findResult(def,java.util.function.Function)': (values: Value, fallback: Value, of: Fn) => {
      for (const value of valuesOf(values)) {
        const result = of(value);
        if (result !== null) return result;
      }
      return fallback;
    },
    'java.util.List split(java.util.function.Predicate)': (values: Value, test: Fn) => {
      const parts: Value[][] = [[], []];
      for (const value of valuesOf(values)) parts[isTrue(test(value)) ? 0 : 1]!.push(value);
      return parts;
    },
  },
};

export const listRow: ClassRow = {
  name: 'java.util.List',
  parents: ['java.util.Collection'],
  methods: {
    'void add(int,def)': (list: Value, index: number, value: Value) => {
      const items = mutable(list);
      checkInsert(index, items.length);
      insertAt(items, index, value);
    },
    'boolean addAll(int,Collection)': (list: Value, index: number, values: Value) => {
      const items = mutable(list);
      checkInsert(index, items.length);
      const added = [...valuesOf(values)];
      currentBudget().charge(added.length * 16);
      items.splice(index, 0, ...added);
      return added.length > 0;
    },
    'def get(int)': (list: List, index: number) => {
      if (index < 0) throw outOfBounds(index, list.length);
      return listGet(list, index);
    },
    'int getLength()': sizeOf,
    'int indexOf(def)': (list: Value, value: Value) => valuesOf(list).findIndex((one) => equalValues(one, value)),
    'int lastIndexOf(def)': (list: Value, value: Value) =>
      valuesOf(list).findLastIndex((one) => equalValues(one, value)),
    'def remove(int)': removeAt,
    'void replaceAll(java.util.function.UnaryOperator)': (list: Value, of: Fn) => {
      const items = mutable(list);
      for (let i = 0; i < items.length; i++) items[i] = of(items[i]);
    },
    'def set(int,def)': (list: Value, index: number, value: Value) => {
      const items = mutable(list);
      if (index < 0 || index >= items.length) throw outOfBounds(index, items.length);
      const former = items[index];
      if (typeof value === 'object' && value !== null) currentBudget().isChanged = true;
      items[index] = value;
      return former;
    },
    'void sort(java.util.Comparator)': sortList,
    'java.util.List subList(int,int)': (list: Value, begin: number, end: number) => {
      const { length } = valuesOf(list);
      if (begin < 0) throw new Thrown('java.lang.IndexOutOfBoundsException', `fromIndex = ${begin}`);
      if (end > length) throw new Thrown('java.lang.IndexOutOfBoundsException', `toIndex = ${end}`);
      if (begin > end) throw illegalArgument(`fromIndex(${begin}) > toIndex(${end})`);
      return valuesOf(list).slice(begin, end);
    },
    ...byPath,
  },
};
