import { unboxNumber } from '../../runtime/boxes.js';
import { type Fn, isTrue } from '../../runtime/collections.js';
import { equalValues } from '../../runtime/equality.js';
import type { AllowTable, ClassRow, Implementation } from './class-row.js';

const F = 'java.util.function.';

/** Interfaces of one class of values and those of two, of which some methods differ. */
const KINDS = ['', 'Int', 'Long', 'Double'];

function consumer(name: string): ClassRow {
  const type = F + name;
  return {
    name: type,
    methods: {
      [`${type} andThen(${type})`]:
        (first: Fn, next: Fn) =>
        (...values: unknown[]) => {
          first(...values);
          next(...values);
          return null;
        },
    },
  };
}

function predicate(name: string): ClassRow {
  const type = F + name;
  return {
    name: type,
    methods: {
      [`${type} and(${type})`]:
        (a: Fn, b: Fn) =>
        (...values: unknown[]) =>
          isTrue(a(...values)) && isTrue(b(...values)),
      [`${type} or(${type})`]:
        (a: Fn, b: Fn) =>
        (...values: unknown[]) =>
          isTrue(a(...values)) || isTrue(b(...values)),
      [`${type} negate()`]:
        (a: Fn) =>
        (...values: unknown[]) =>
          !isTrue(a(...values)),
    },
  };
}

/** `andThen` and `compose` of a function whose result is of the class of its argument. */
function unary(name: string): ClassRow {
  const type = F + name;
  const chain = (first: Fn, next: Fn): Fn => ((value: unknown) => next(first(value))) as Fn;
  const other = name === 'UnaryOperator' ? `${F}Function` : type;
  return {
    name: type,
    statics: { [`${type} identity()`]: () => (value: unknown) => value },
    methods: {
      [`${other} andThen(${other})`]: chain,
      [`${other} compose(${other})`]: (next: Fn, first: Fn) => chain(first, next),
    },
  };
}

const thenApply: Implementation =
  (first: Fn, next: Fn) =>
  (...values: unknown[]) =>
    next(first(...values));

const least =
  (sign: number) =>
  (order: Fn): Fn =>
    ((a: unknown, b: unknown) => ((unboxNumber(order(a, b), 'int', false) as number) * sign <= 0 ? a : b)) as Fn;

/** Methods of functional interfaces that make functions of functions. */
export const FUNCTION_DEFAULTS: AllowTable = [
  ...['BiConsumer', ...KINDS.map((kind) => `${kind}Consumer`)].map(consumer),
  ...['BiPredicate', 'IntPredicate', 'LongPredicate', 'DoublePredicate'].map(predicate),
  ...['UnaryOperator', 'IntUnaryOperator', 'LongUnaryOperator', 'DoubleUnaryOperator'].map(unary),
  { name: `${F}BiFunction`, methods: { [`${F}BiFunction andThen(${F}Function)`]: thenApply } },
  {
    name: `${F}BinaryOperator`,
    statics: {
      [`${F}BinaryOperator minBy(Comparator)`]: least(1),
      [`${F}BinaryOperator maxBy(Comparator)`]: least(-1),
    },
    methods: { [`${F}BiFunction andThen(${F}Function)`]: thenApply },
  },
  {
    name: `${F}Predicate`,
    statics: { [`${F}Predicate isEqual(def)`]: (wanted: unknown) => (value: unknown) => equalValues(wanted, value) },
  },
];
