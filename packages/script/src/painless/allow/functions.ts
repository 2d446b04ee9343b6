import { unboxNumber } from '../../runtime/boxes.js';
import { compareValues } from '../../runtime/comparison.js';
import { textOf } from '../../runtime/java-text.js';
import type { AllowTable, ClassRow } from './class-row.js';

type Fn = (...values: unknown[]) => unknown;

/** Functional interfaces: name and the method that a lambda implements. */
const INTERFACES: Readonly<Record<string, string>> = {
  BiConsumer: 'void accept(def,def)',
  BiFunction: 'def apply(def,def)',
  BiPredicate: 'boolean test(def,def)',
  BinaryOperator: 'def apply(def,def)',
  BooleanSupplier: 'boolean getAsBoolean()',
  Consumer: 'void accept(def)',
  DoubleBinaryOperator: 'double applyAsDouble(double,double)',
  DoubleConsumer: 'void accept(double)',
  DoubleFunction: 'def apply(double)',
  DoublePredicate: 'boolean test(double)',
  DoubleSupplier: 'double getAsDouble()',
  DoubleToIntFunction: 'int applyAsInt(double)',
  DoubleToLongFunction: 'long applyAsLong(double)',
  DoubleUnaryOperator: 'double applyAsDouble(double)',
  Function: 'def apply(def)',
  IntBinaryOperator: 'int applyAsInt(int,int)',
  IntConsumer: 'void accept(int)',
  IntFunction: 'def apply(int)',
  IntPredicate: 'boolean test(int)',
  IntSupplier: 'int getAsInt()',
  IntToDoubleFunction: 'double applyAsDouble(int)',
  IntToLongFunction: 'long applyAsLong(int)',
  IntUnaryOperator: 'int applyAsInt(int)',
  LongBinaryOperator: 'long applyAsLong(long,long)',
  LongConsumer: 'void accept(long)',
  LongFunction: 'def apply(long)',
  LongPredicate: 'boolean test(long)',
  LongSupplier: 'long getAsLong()',
  LongToDoubleFunction: 'double applyAsDouble(long)',
  LongToIntFunction: 'int applyAsInt(long)',
  LongUnaryOperator: 'long applyAsLong(long)',
  ObjDoubleConsumer: 'void accept(def,double)',
  ObjIntConsumer: 'void accept(def,int)',
  ObjLongConsumer: 'void accept(def,long)',
  Predicate: 'boolean test(def)',
  Supplier: 'def get()',
  ToDoubleBiFunction: 'double applyAsDouble(def,def)',
  ToDoubleFunction: 'double applyAsDouble(def)',
  ToIntBiFunction: 'int applyAsInt(def,def)',
  ToIntFunction: 'int applyAsInt(def)',
  ToLongBiFunction: 'long applyAsLong(def,def)',
  ToLongFunction: 'long applyAsLong(def)',
  UnaryOperator: 'def apply(def)',
};

const NUMBERS = new Set(['int', 'long', 'double']);

function interfaceRow(name: string, method: string): ClassRow {
  const result = method.split(' ', 1)[0]!;
  const call = NUMBERS.has(result)
    ? (lambda: Fn, ...args: unknown[]) => unboxNumber(lambda(...args), result, false)
    : (lambda: Fn, ...args: unknown[]) => lambda(...args);
  return { name: `java.util.function.${name}`, functional: method, methods: { [method]: call } };
}

const asNumber = (value: unknown): number => Number(textOf(value));

/** Orders by what a lambda makes of each value. */
const byKey =
  (key: Fn, order: Fn = compareValues as Fn): Fn =>
  (a, b) =>
    order(key(a), key(b));

const thenBy =
  (first: Fn, second: Fn): Fn =>
  (a, b) =>
    asNumber(first(a, b)) || second(a, b);

const comparatorRow: ClassRow = {
  name: 'java.util.Comparator',
  functional: 'int compare(def,def)',
  statics: {
    'java.util.Comparator comparing(java.util.function.Function)': (key: Fn) => byKey(key),
    'java.util.Comparator comparing(java.util.function.Function,java.util.Comparator)': byKey,
    'java.util.Comparator comparingInt(java.util.function.ToIntFunction)': (key: Fn) => byKey(key),
    'java.util.Comparator comparingLong(java.util.function.ToLongFunction)': (key: Fn) => byKey(key),
    'java.util.Comparator comparingDouble(java.util.function.ToDoubleFunction)': (key: Fn) => byKey(key),
    'java.util.Comparator naturalOrder()': () => compareValues,
    'java.util.Comparator reverseOrder()': () => (a: unknown, b: unknown) => compareValues(b, a),
    'java.util.Comparator nullsFirst(java.util.Comparator)': (order: Fn) => nulls(order, -1),
    'java.util.Comparator nullsLast(java.util.Comparator)': (order: Fn) => nulls(order, 1),
  },
  methods: {
    'int compare(def,def)': (order: Fn, a: unknown, b: unknown) => order(a, b),
    'java.util.Comparator reversed()': (order: Fn) => (a: unknown, b: unknown) => order(b, a),
    'java.util.Comparator thenComparing(def)': (order: Fn, second: Fn) =>
      thenBy(order, second.length === 1 ? byKey(second) : second),
    'java.util.Comparator thenComparing(java.util.function.Function,java.util.Comparator)': (
      order: Fn,
      key: Fn,
      second: Fn,
    ) => thenBy(order, byKey(key, second)),
    'java.util.Comparator thenComparingInt(java.util.function.ToIntFunction)': (order: Fn, key: Fn) =>
      thenBy(order, byKey(key)),
    'java.util.Comparator thenComparingLong(java.util.function.ToLongFunction)': (order: Fn, key: Fn) =>
      thenBy(order, byKey(key)),
    'java.util.Comparator thenComparingDouble(java.util.function.ToDoubleFunction)': (order: Fn, key: Fn) =>
      thenBy(order, byKey(key)),
  },
};

function nulls(order: Fn, sign: number): Fn {
  return (a, b) => {
    if (a === null) return b === null ? 0 : sign;
    return b === null ? -sign : order(a, b);
  };
}

const DEFAULT_METHODS: AllowTable = [
  {
    name: 'java.util.function.Function',
    statics: { 'java.util.function.Function identity()': () => (value: unknown) => value },
    methods: {
      'java.util.function.Function andThen(java.util.function.Function)': (first: Fn, next: Fn) => (value: unknown) =>
        next(first(value)),
      'java.util.function.Function compose(java.util.function.Function)': (next: Fn, first: Fn) => (value: unknown) =>
        next(first(value)),
    },
  },
  {
    name: 'java.util.function.Predicate',
    methods: {
      'java.util.function.Predicate and(java.util.function.Predicate)': (a: Fn, b: Fn) => (value: unknown) =>
        a(value) === true && b(value),
      'java.util.function.Predicate or(java.util.function.Predicate)': (a: Fn, b: Fn) => (value: unknown) =>
        a(value) === true || b(value),
      'java.util.function.Predicate negate()': (a: Fn) => (value: unknown) => a(value) !== true,
    },
  },
];

/** java.util.function and Comparator. A lambda is a function of boxed values. */
export const FUNCTIONS: AllowTable = [
  ...Object.entries(INTERFACES).map(([name, method]) => interfaceRow(name, method)),
  comparatorRow,
  { name: 'java.lang.Runnable', functional: 'void run()' },
  ...DEFAULT_METHODS,
];
