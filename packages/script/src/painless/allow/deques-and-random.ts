import { present } from '../../runtime/access.js';
import { currentBudget } from '../../runtime/budget.js';
import { type Fn, valuesOf } from '../../runtime/collections.js';
import { equalValues, hashOf } from '../../runtime/equality.js';
import { JavaMap } from '../../runtime/java-map.js';
import type { JavaRandom } from '../../runtime/java-random.js';
import { JavaSet } from '../../runtime/java-set.js';
import { insertAt, listGet, mutable } from '../../runtime/lists.js';
import { boxDouble, boxLong } from '../../runtime/boxes.js';
import { type Long, wrapLong } from '../../runtime/longs.js';
import { JavaStream } from '../../runtime/streams.js';
import { illegalArgument, Thrown } from '../../runtime/thrown.js';
import { JavaArray, type Value } from '../../runtime/values.js';
import type { AllowTable, ClassRow } from './class-row.js';
import { Cursor } from './collections.js';
import { entriesIn } from './maps.js';

/** Takes the first or the last equal value out of a list. */
function removeOccurrence(list: Value, value: Value, isLast: boolean): boolean {
  const items = mutable(list);
  const isEqual = (one: Value): boolean => equalValues(one, value);
  currentBudget().walk(items.length);
  const place = isLast ? items.findLastIndex(isEqual) : items.findIndex(isEqual);
  if (place >= 0) items.splice(place, 1);
  return place >= 0;
}

const dequeMethods: ClassRow['methods'] = {
  'Iterator descendingIterator()': (list: Value) => new Cursor(list, [...valuesOf(list)].reverse()),
  'boolean removeFirstOccurrence(def)': (list: Value, value: Value) => removeOccurrence(list, value, false),
  'boolean removeLastOccurrence(def)': (list: Value, value: Value) => removeOccurrence(list, value, true),
};

const removing: ClassRow['methods'] = {
  'boolean remove(def)': (list: Value, value: Value) => removeOccurrence(list, value, false),
};

/** The error of a Vector about a place. */
function checkPlace(place: number, length: number, told = `${place} >= ${length}`): void {
  if (place >= length || place < 0)
    throw new Thrown(
      'java.lang.ArrayIndexOutOfBoundsException',
      place < 0 ? `Array index out of range: ${place}` : told,
    );
}

const vectorMethods: ClassRow['methods'] = {
  'void copyInto(Object[])': (list: Value, { values }: JavaArray) => {
    const items = valuesOf(list);
    if (items.length > values.length)
      throw new Thrown(
        'java.lang.ArrayIndexOutOfBoundsException',
        `arraycopy: last destination index ${items.length} out of bounds for object array[${values.length}]`,
      );
    items.forEach((value, i) => (values[i] = value));
  },
  'Enumeration elements()': (list: Value) => new Cursor(list),
  'void insertElementAt(def,int)': (list: Value, value: Value, place: number) => {
    const items = mutable(list);
    if (place > items.length || place < 0) checkPlace(place, items.length, `${place} > ${items.length}`);
    insertAt(items, place, value);
  },
  'void setElementAt(def,int)': (list: Value, value: Value, place: number) => {
    const items = mutable(list);
    checkPlace(place, items.length);
    items[place] = value;
  },
  'void removeElementAt(int)': (list: Value, place: number) => {
    const items = mutable(list);
    checkPlace(place, items.length);
    items.splice(place, 1);
  },
  'int lastIndexOf(def,int)': (list: Value[], value: Value, from: number) => {
    if (from >= list.length) throw new Thrown('java.lang.IndexOutOfBoundsException', `${from} >= ${list.length}`);
    currentBudget().walk(list.length);
    let place = from;
    while (place >= 0 && !equalValues(listGet(list, place), value)) place--;
    return place;
  },
};

/** The first result that is not null, of a function of keys and values. */
function findResult(map: object, fallback: Value, of: Fn): Value {
  for (const { key, value } of entriesIn(map)) {
    const result = of(key, value);
    if (result !== null) return result;
  }
  return fallback;
}

function deepHash(array: JavaArray | null): number {
  if (array === null) return 0;
  currentBudget().walk(array.values.length);
  return array.values.reduce(
    (hash: number, value) => (Math.imul(31, hash) + (value instanceof JavaArray ? deepHash(value) : hashOf(value))) | 0,
    1,
  );
}

/** Compares arrays by their values, those within them too. */
function deepEqual(a: Value, b: Value): boolean {
  if (!(a instanceof JavaArray && b instanceof JavaArray)) return equalValues(a, b);
  currentBudget().walk(a.values.length);
  return a.values.length === b.values.length && a.values.every((value, i) => deepEqual(value, b.values[i]));
}

/** A set whose values are the keys of an empty map. */
function setOver(map: Value): JavaSet {
  if (!(map instanceof JavaMap)) return new JavaSet('hash');
  if (map.size > 0) throw illegalArgument('Map is non-empty');
  return JavaSet.over(map);
}

/** Numbers of a random stream, made when they are asked for. */
function* drawn(count: Long, draw: () => Value): Generator<Value> {
  for (let i = 0; i < Number(count); i++) yield draw();
}

function checkDrawn(count: Long, begin: Long = 0, end: Long = 1): void {
  if (count < 0) throw illegalArgument('size must be non-negative');
  if (!(begin < end)) throw illegalArgument('bound must be greater than origin');
}

/** An int of a range, as streams of java.util.Random draw it. */
function drawInt(random: JavaRandom, begin: number, end: number): number {
  const width = end - begin;
  if (width <= 0x7fff_ffff) return random.nextBounded(width) + begin;
  for (;;) {
    const value = random.nextInt();
    if (value >= begin && value < end) return value;
  }
}

function drawLong(random: JavaRandom, begin: Long, end: Long): Long {
  const width = BigInt.asIntN(64, BigInt(end) - BigInt(begin));
  const drawnLong = BigInt(random.nextLong());
  if ((width & (width - 1n)) === 0n) return wrapLong((drawnLong & (width - 1n)) + BigInt(begin));
  if (width > 0n)
    for (let bits = BigInt.asUintN(64, drawnLong) >> 1n; ; bits = BigInt.asUintN(64, BigInt(random.nextLong())) >> 1n) {
      const value = bits % width;
      if (BigInt.asIntN(64, bits + (width - 1n) - value) >= 0n) return wrapLong(value + BigInt(begin));
    }
  for (let value = wrapLong(drawnLong); ; value = random.nextLong()) if (value >= begin && value < end) return value;
}

const randomRow: ClassRow = {
  name: 'java.util.Random',
  methods: {
    'java.util.stream.IntStream ints(long)': (random: JavaRandom, count: Long) => {
      checkDrawn(count);
      return new JavaStream(
        'IntStream',
        drawn(count, () => random.nextInt()),
      );
    },
    'java.util.stream.IntStream ints(long,int,int)': (random: JavaRandom, count: Long, begin: number, end: number) => {
      checkDrawn(count, begin, end);
      return new JavaStream(
        'IntStream',
        drawn(count, () => drawInt(random, begin, end)),
      );
    },
    'java.util.stream.LongStream longs(long)': (random: JavaRandom, count: Long) => {
      checkDrawn(count);
      return new JavaStream(
        'LongStream',
        drawn(count, () => boxLong(random.nextLong())),
      );
    },
    'java.util.stream.LongStream longs(long,long,long)': (random: JavaRandom, count: Long, begin: Long, end: Long) => {
      checkDrawn(count, begin, end);
      return new JavaStream(
        'LongStream',
        drawn(count, () => boxLong(drawLong(random, begin, end))),
      );
    },
    'java.util.stream.DoubleStream doubles(long)': (random: JavaRandom, count: Long) => {
      checkDrawn(count);
      return new JavaStream(
        'DoubleStream',
        drawn(count, () => boxDouble(random.nextDouble())),
      );
    },
    'java.util.stream.DoubleStream doubles(long,double,double)': (
      random: JavaRandom,
      count: Long,
      begin: number,
      end: number,
    ) => {
      checkDrawn(count, begin, end);
      return new JavaStream(
        'DoubleStream',
        drawn(count, () => boxDouble(random.nextDouble() * (end - begin) + begin)),
      );
    },
    'void nextBytes(byte[])': (random: JavaRandom, { values }: JavaArray) => {
      currentBudget().walk(values.length);
      for (let i = 0, bits = 0; i < values.length; i++, bits >>= 8) {
        if (i % 4 === 0) bits = random.nextInt();
        values[i] = (bits << 24) >> 24;
      }
    },
  },
};

/** More of the lists, queues and maps of java.util, and of the streams of Random. */
export const DEQUES_AND_RANDOM: AllowTable = [
  ...['Deque', 'LinkedList', 'ArrayDeque'].map(
    (name): ClassRow => ({ name: `java.util.${name}`, methods: dequeMethods }),
  ),
  ...['Deque', 'ArrayDeque'].map((name): ClassRow => ({ name: `java.util.${name}`, methods: removing })),
  ...['Vector', 'Stack'].map((name): ClassRow => ({ name: `java.util.${name}`, methods: vectorMethods })),
  { name: 'java.util.ArrayList', methods: { 'void trimToSize()': () => undefined } },
  { name: 'java.util.Map', methods: { 'def findResult(def,java.util.function.BiFunction)': findResult } },
  {
    name: 'java.util.Collections',
    constants: { 'Set EMPTY_SET': JavaSet.over(new JavaMap('hash').freeze()) },
    statics: { 'Set newSetFromMap(Map)': (map: Value) => setOver(present(map)) },
  },
  {
    name: 'java.util.Arrays',
    statics: { 'int deepHashCode(Object[])': deepHash, 'boolean deepEquals(Object[],Object[])': deepEqual },
  },
  {
    name: 'java.util.Objects',
    statics: {
      'boolean deepEquals(Object,Object)': deepEqual,
    },
  },
  randomRow,
];
