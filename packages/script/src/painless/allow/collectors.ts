import { boxDouble, boxLong, unboxNumber } from '../../runtime/boxes.js';
import { addTo, type Fn, isTrue } from '../../runtime/collections.js';
import { JavaMap } from '../../runtime/java-map.js';
import { JavaSet } from '../../runtime/java-set.js';
import { textOf } from '../../runtime/java-text.js';
import { mapGet, mapPut } from '../../runtime/maps.js';
import { Optional } from '../../runtime/optional.js';
import { Thrown } from '../../runtime/thrown.js';
import { ScriptObject, type Value } from '../../runtime/values.js';
import { statisticsOf } from './util-classes.js';
import type { AllowTable, Implementation } from './class-row.js';

type Collect = (values: Iterable<Value>) => Value;

/** A collector: what it makes of values. */
export class Collector extends ScriptObject {
  readonly javaClass = 'java.util.stream.Collector';
  readonly collect: Collect;

  constructor(collect: Collect) {
    super();
    this.collect = collect;
  }
}

const toList: Collect = (values) => [...values];

const toSet: Collect = (values) => {
  const set = new JavaSet('hash');
  for (const value of values) set.add(value);
  return set;
};

/** Groups values by a key, each group collected by another collector. */
function grouping(of: Fn, collect: Collect, makeMap: () => object = () => new JavaMap('hash')): Collect {
  return (values) => {
    const groups = new JavaMap('linked');
    for (const value of values) {
      const key = of(value);
      if (key === null) throw new Thrown('java.lang.NullPointerException', 'element cannot be mapped to a null key');
      const group = groups.get(key) as Value[] | null;
      if (group) group.push(value);
      else groups.put(key, [value]);
    }
    const result = makeMap();
    for (const [key, group] of groups.entries()) mapPut(result, key, collect(group as Value[]));
    return result;
  };
}

function toMap(key: Fn, value: Fn, merge: Fn | null, makeMap: () => object = () => new JavaMap('hash')): Collect {
  return (values) => {
    const map = makeMap();
    for (const item of values) {
      const [k, v] = [key(item), value(item)];
      const former = mapGet(map, k);
      if (former !== null && merge === null)
        throw new Thrown(
          'java.lang.IllegalStateException',
          `Duplicate key ${textOf(k)} (attempted merging values ${textOf(former)} and ${textOf(v)})`,
        );
      mapPut(map, k, former === null ? v : merge!(former, v));
    }
    return map;
  };
}

const numbersOf = (values: Iterable<Value>, of: Fn): number[] =>
  [...values].map((value) => unboxNumber(of(value), 'double', false) as number);

const summing =
  (box: (value: number) => Value) =>
  (of: Fn): Collect =>
  (values) =>
    box(numbersOf(values, of).reduce((sum, value) => sum + value, 0));

const averaging =
  (of: Fn): Collect =>
  (values) => {
    const numbers = numbersOf(values, of);
    return boxDouble(numbers.length === 0 ? 0 : numbers.reduce((sum, value) => sum + value, 0) / numbers.length);
  };

const best =
  (sign: number) =>
  (order: Fn): Collect =>
  (values) => {
    let result: Value = null;
    for (const value of values)
      if (result === null || (unboxNumber(order(value, result), 'int', false) as number) * sign > 0) result = value;
    return new Optional(result);
  };

function joining(delimiter: Value, prefix: Value = '', suffix: Value = ''): Collect {
  return (values) => textOf(prefix) + [...values].map(textOf).join(textOf(delimiter)) + textOf(suffix);
}

const summarizing =
  (kind: 'Int' | 'Long' | 'Double') =>
  (of: Fn): Collect =>
  (values) =>
    statisticsOf(kind)([...values].map((value) => of(value)));

const C = 'java.util.stream.Collector';
const F = 'java.util.function.';

type Maker = (...args: never[]) => Collect;

/** Members that make collectors. */
function collecting(makers: Readonly<Record<string, Maker>>): Record<string, Implementation> {
  return Object.fromEntries(
    Object.entries(makers).map(([signature, make]) => [
      signature,
      (...args: unknown[]) => new Collector((make as (...all: unknown[]) => Collect)(...args)),
    ]),
  );
}

/** Collectors of java.util.stream. */
export const COLLECTORS: AllowTable = [
  { name: C },
  {
    name: 'java.util.stream.Collectors',
    statics: collecting({
      [`${C} averagingDouble(${F}ToDoubleFunction)`]: averaging,
      [`${C} averagingInt(${F}ToIntFunction)`]: averaging,
      [`${C} averagingLong(${F}ToLongFunction)`]: averaging,
      [`${C} collectingAndThen(${C},${F}Function)`]:
        ({ collect }: Collector, of: Fn): Collect =>
        (values) =>
          of(collect(values)),
      [`${C} counting()`]: (): Collect => (values) => boxLong([...values].length),
      [`${C} groupingBy(${F}Function)`]: (of: Fn) => grouping(of, toList),
      [`${C} groupingBy(${F}Function,${C})`]: (of: Fn, { collect }: Collector) => grouping(of, collect),
      [`${C} groupingBy(${F}Function,${F}Supplier,${C})`]: (of: Fn, makeMap: Fn, { collect }: Collector) =>
        grouping(of, collect, () => makeMap() as object),
      [`${C} joining()`]: () => joining(''),
      [`${C} joining(CharSequence)`]: (delimiter: Value) => joining(delimiter),
      [`${C} joining(CharSequence,CharSequence,CharSequence)`]: joining,
      [`${C} mapping(${F}Function,${C})`]:
        (of: Fn, { collect }: Collector): Collect =>
        (values) =>
          collect([...values].map((value) => of(value))),
      [`${C} maxBy(Comparator)`]: best(1),
      [`${C} minBy(Comparator)`]: best(-1),
      [`${C} partitioningBy(${F}Predicate)`]:
        (test: Fn): Collect =>
        (values) => {
          const map = new JavaMap('linked');
          const all = [...values];
          map.put(
            false,
            all.filter((value) => !isTrue(test(value))),
          );
          map.put(
            true,
            all.filter((value) => isTrue(test(value))),
          );
          return map;
        },
      [`${C} partitioningBy(${F}Predicate,${C})`]:
        (test: Fn, { collect }: Collector): Collect =>
        (values) => {
          const map = new JavaMap('linked');
          const all = [...values];
          for (const part of [false, true]) map.put(part, collect(all.filter((value) => isTrue(test(value)) === part)));
          return map;
        },
      [`${C} summarizingInt(${F}ToIntFunction)`]: summarizing('Int'),
      [`${C} summarizingLong(${F}ToLongFunction)`]: summarizing('Long'),
      [`${C} summarizingDouble(${F}ToDoubleFunction)`]: summarizing('Double'),
      [`${C} reducing(def,${F}BinaryOperator)`]:
        (start: Value, fold: Fn): Collect =>
        (values) =>
          [...values].reduce((result, value) => fold(result, value), start),
      [`${C} summingDouble(${F}ToDoubleFunction)`]: summing(boxDouble),
      [`${C} summingInt(${F}ToIntFunction)`]: summing((value) => value | 0),
      [`${C} summingLong(${F}ToLongFunction)`]: summing(boxLong),
      [`${C} toCollection(${F}Supplier)`]:
        (make: Fn): Collect =>
        (values) => {
          const into = make();
          for (const value of values) addTo(into, value);
          return into;
        },
      [`${C} reducing(${F}BinaryOperator)`]:
        (merge: Fn): Collect =>
        (values) => {
          let result: Value = null;
          let isFirst = true;
          for (const value of values) {
            result = isFirst ? value : merge(result, value);
            isFirst = false;
          }
          return new Optional(result);
        },
      [`${C} reducing(def,${F}Function,${F}BinaryOperator)`]:
        (start: Value, of: Fn, merge: Fn): Collect =>
        (values) => {
          let result = start;
          for (const value of values) result = merge(result, of(value));
          return result;
        },
      [`${C} toList()`]: () => toList,
      [`${C} toMap(${F}Function,${F}Function)`]: (key: Fn, value: Fn) => toMap(key, value, null),
      [`${C} toMap(${F}Function,${F}Function,${F}BinaryOperator)`]: toMap,
      [`${C} toMap(${F}Function,${F}Function,${F}BinaryOperator,${F}Supplier)`]: (
        key: Fn,
        value: Fn,
        merge: Fn,
        makeMap: Fn,
      ) => toMap(key, value, merge, () => makeMap() as object),
      [`${C} toSet()`]: () => toSet,
    }),
  },
];
