import { boxDouble, boxLong, unboxNumber } from '../../runtime/boxes.js';
import { type Fn, isTrue, valuesOf } from '../../runtime/collections.js';
import { compareValues } from '../../runtime/comparison.js';
import { identityOf } from '../../runtime/equality.js';
import { addLong, type Long } from '../../runtime/longs.js';
import { Optional } from '../../runtime/optional.js';
import { elementOf, JavaStream, type StreamKind } from '../../runtime/streams.js';
import { JavaArray, type Value } from '../../runtime/values.js';
import type { Collector } from './collectors.js';
import { statisticsOf } from './util-classes.js';
import type { AllowTable, ClassRow, Implementation } from './class-row.js';

type Values = Iterable<Value>;

function* mapped(values: Values, of: (value: Value) => Value): Generator<Value> {
  for (const value of values) yield of(value);
}

function* filtered(values: Values, test: Fn): Generator<Value> {
  for (const value of values) if (isTrue(test(value))) yield value;
}

function* limited(values: Values, count: number): Generator<Value> {
  let left = count;
  if (left <= 0) return;
  for (const value of values) {
    yield value;
    if (--left <= 0) return;
  }
}

function* skipped(values: Values, count: number): Generator<Value> {
  let left = count;
  for (const value of values) if (--left < 0) yield value;
}

function* flattened(values: Values, of: Fn): Generator<Value> {
  for (const value of values) yield* of(value) as JavaStream;
}

function* distinct(values: Values): Generator<Value> {
  const seen = new Set<unknown>();
  for (const value of values) {
    const identity = identityOf(value);
    if (seen.has(identity)) continue;
    seen.add(identity);
    yield value;
  }
}

function* sorted(stream: JavaStream, order: Fn | null): Generator<Value> {
  const compare = order ?? (compareValues as Fn);
  yield* stream.toList().sort((a, b) => unboxNumber(compare(a, b), 'int', false) as number);
}

function* peeked(values: Values, act: Fn): Generator<Value> {
  for (const value of values) {
    act(value);
    yield value;
  }
}

/** Folds the values; an empty Optional for none. */
function reduced(values: Values, fold: Fn): Optional {
  let result: Value = null;
  let isFirst = true;
  for (const value of values) {
    result = isFirst ? value : fold(result, value);
    isFirst = false;
  }
  return new Optional(result);
}

const extreme =
  (sign: number) =>
  (stream: JavaStream, order: Fn): Optional =>
    reduced(stream, (a, b) => ((unboxNumber(order(a, b), 'int', false) as number) * sign >= 0 ? a : b));

const first = (stream: JavaStream): Optional => new Optional(stream[Symbol.iterator]().next().value ?? null);

const to = (kind: StreamKind) => (stream: JavaStream, of: Fn) =>
  stream.through(kind, (values) => mapped(values, (value) => elementOf(kind, of(value))));

/** Members of streams of every kind; `kind` is that of the stream itself. */
function shared(
  kind: StreamKind,
  functions: { readonly predicate: string; readonly consumer: string; readonly unary: string },
): Record<string, Implementation> {
  const own = `java.util.stream.${kind}`;
  const { predicate, consumer, unary } = functions;
  return {
    [`boolean allMatch(${predicate})`]: (stream: JavaStream, test: Fn) =>
      [...stream].every((value) => isTrue(test(value))),
    [`boolean anyMatch(${predicate})`]: (stream: JavaStream, test: Fn) =>
      [...stream].some((value) => isTrue(test(value))),
    [`boolean noneMatch(${predicate})`]: (stream: JavaStream, test: Fn) =>
      ![...stream].some((value) => isTrue(test(value))),
    'long count()': (stream: JavaStream) => stream.toList().length,
    [`${own} distinct()`]: (stream: JavaStream) => stream.through(kind, distinct),
    [`${own} filter(${predicate})`]: (stream: JavaStream, test: Fn) =>
      stream.through(kind, (values) => filtered(values, test)),
    [`void forEach(${consumer})`]: (stream: JavaStream, act: Fn) => {
      for (const value of stream) act(value);
    },
    [`void forEachOrdered(${consumer})`]: (stream: JavaStream, act: Fn) => {
      for (const value of stream) act(value);
    },
    [`${own} limit(long)`]: (stream: JavaStream, count: Long) =>
      stream.through(kind, (values) => limited(values, Number(count))),
    [`${own} skip(long)`]: (stream: JavaStream, count: Long) =>
      stream.through(kind, (values) => skipped(values, Number(count))),
    [`${own} peek(${consumer})`]: (stream: JavaStream, act: Fn) =>
      stream.through(kind, (values) => peeked(values, act)),
    [`${own} sorted()`]: (stream: JavaStream) => stream.through(kind, () => sorted(stream, null)),
    [`${own} map(${unary})`]: to(kind),
    [`${own} flatMap(java.util.function.Function)`]: (stream: JavaStream, of: Fn) =>
      stream.through(kind, (values) => flattened(values, of)),
  };
}

const F = 'java.util.function.';
const S = 'java.util.stream.';

const streamRow: ClassRow = {
  name: `${S}Stream`,
  statics: {
    [`${S}Stream empty()`]: () => new JavaStream('Stream', []),
    [`${S}Stream concat(${S}Stream,${S}Stream)`]: (a: JavaStream, b: JavaStream) =>
      new JavaStream(
        'Stream',
        (function* both(): Generator<Value> {
          yield* a;
          yield* b;
        })(),
      ),
    [`${S}Stream of(def)`]: (value: Value) =>
      new JavaStream('Stream', value instanceof JavaArray ? valuesOf(value) : [value]),
  },
  methods: {
    ...shared('Stream', { predicate: `${F}Predicate`, consumer: `${F}Consumer`, unary: `${F}Function` }),
    [`def collect(${S}Collector)`]: (stream: JavaStream, collector: Collector) => collector.collect(stream),
    'Optional findAny()': first,
    'Optional findFirst()': first,
    [`${S}DoubleStream mapToDouble(${F}ToDoubleFunction)`]: to('DoubleStream'),
    [`${S}IntStream mapToInt(${F}ToIntFunction)`]: to('IntStream'),
    [`${S}LongStream mapToLong(${F}ToLongFunction)`]: to('LongStream'),
    'Optional max(Comparator)': extreme(1),
    'Optional min(Comparator)': extreme(-1),
    [`Optional reduce(${F}BinaryOperator)`]: reduced,
    [`def reduce(def,${F}BinaryOperator)`]: (stream: JavaStream, start: Value, fold: Fn) => {
      let result = start;
      for (const value of stream) result = fold(result, value);
      return result;
    },
    [`${S}Stream sorted(Comparator)`]: (stream: JavaStream, order: Fn) =>
      stream.through('Stream', () => sorted(stream, order)),
    'def[] toArray()': (stream: JavaStream) => new JavaArray('def', stream.toList()),
    'List toList()': (stream: JavaStream) => Object.freeze(stream.toList()),
  },
};

function numberRow(kind: 'IntStream' | 'LongStream' | 'DoubleStream'): ClassRow {
  const short = kind.slice(0, -'Stream'.length) as 'Int' | 'Long' | 'Double';
  const type = short.toLowerCase();
  const boxed = (value: number): Value =>
    type === 'double' ? boxDouble(value) : type === 'long' ? boxLong(value) : value;
  const native = (value: Value): Value => unboxNumber(value, type, false);
  const optional = (value: Value): Optional => new Optional(value, short);
  const extremum = (pick: (...values: number[]) => number) => (stream: JavaStream) => {
    const numbers = stream.numbers();
    return optional(numbers.length === 0 ? null : boxed(pick(...numbers)));
  };
  return {
    name: `${S}${kind}`,
    statics:
      type === 'double'
        ? {}
        : {
            [`${S}${kind} range(${type},${type})`]: (from: Long, end: Long) => range(kind, Number(from), Number(end)),
            [`${S}${kind} rangeClosed(${type},${type})`]: (from: Long, end: Long) =>
              range(kind, Number(from), Number(end) + 1),
          },
    methods: {
      ...shared(kind, {
        predicate: `${F}${short}Predicate`,
        consumer: `${F}${short}Consumer`,
        unary: `${F}${short}UnaryOperator`,
      }),
      'OptionalDouble average()': (stream: JavaStream) => {
        const numbers = stream.numbers();
        const sum = numbers.reduce((total, value) => total + value, 0);
        return new Optional(numbers.length === 0 ? null : boxDouble(sum / numbers.length), 'Double');
      },
      [`${S}Stream boxed()`]: (stream: JavaStream) => stream.through('Stream', (values) => values),
      [`Optional${short} findFirst()`]: (stream: JavaStream) => optional(first(stream).value),
      [`Optional${short} max()`]: extremum(Math.max),
      [`Optional${short} min()`]: extremum(Math.min),
      [`${S}Stream mapToObj(${F}${short}Function)`]: (stream: JavaStream, of: Fn) =>
        stream.through('Stream', (values) => mapped(values, of)),
      [`${S}DoubleStream asDoubleStream()`]: (stream: JavaStream) =>
        stream.through('DoubleStream', (values) => mapped(values, (value) => elementOf('DoubleStream', value))),
      [`${type} sum()`]: (stream: JavaStream) => {
        if (type === 'long')
          return stream.toList().reduce((total: Long, value) => addLong(total, unboxNumber(value, 'long', false)), 0);
        const sum = stream.numbers().reduce((total, value) => total + value, 0);
        return type === 'int' ? sum | 0 : sum;
      },
      [`java.util.${short}SummaryStatistics summaryStatistics()`]: statisticsOf(short),
      [`Optional${short} findAny()`]: (stream: JavaStream) => optional(first(stream).value),
      [`Optional${short} reduce(${F}${short}BinaryOperator)`]: (stream: JavaStream, fold: Fn) =>
        optional(reduced(stream, fold).value),
      [`${type} reduce(${type},${F}${short}BinaryOperator)`]: (stream: JavaStream, start: Value, fold: Fn) => {
        let result: Value = boxed(start as number);
        for (const value of stream) result = fold(result, value);
        return native(result);
      },
      ...Object.fromEntries(
        (['Int', 'Long', 'Double'] as const)
          .filter((other) => other !== short)
          .map((other) => [`${S}${other}Stream mapTo${other}(${F}${short}To${other}Function)`, to(`${other}Stream`)]),
      ),
      ...(kind === 'IntStream'
        ? {
            [`${S}LongStream asLongStream()`]: (stream: JavaStream) =>
              stream.through('LongStream', (values) => mapped(values, (value) => elementOf('LongStream', value))),
          }
        : {}),
      [`${type}[] toArray()`]: (stream: JavaStream) => new JavaArray(type, stream.toList().map(native)),
    },
  };
}

function range(kind: StreamKind, from: number, end: number): JavaStream {
  return new JavaStream(
    kind,
    (function* numbers(): Generator<Value> {
      for (let i = from; i < end; i++) yield elementOf(kind, i);
    })(),
  );
}

function optionalRow(kind: '' | 'Int' | 'Long' | 'Double'): ClassRow {
  const type = kind === '' ? 'def' : kind.toLowerCase();
  const name = `java.util.Optional${kind}`;
  const native = (value: Value): Value => (kind === '' ? value : unboxNumber(value, type, false));
  const box = (value: Value): Value =>
    kind === 'Double' ? boxDouble(value as number) : kind === 'Long' ? boxLong(value as Long) : value;
  return {
    name,
    statics: {
      [`Optional${kind} empty()`]: () => new Optional(null, kind),
      [`Optional${kind} of(${type})`]: (value: Value) => new Optional(box(value), kind),
      ...(kind === '' ? { 'Optional ofNullable(def)': (value: Value) => new Optional(value) } : {}),
    },
    methods: {
      'boolean isPresent()': (optional: Optional) => optional.isPresent,
      [`${type} ${kind === '' ? 'get' : `getAs${kind}`}()`]: (optional: Optional) => native(optional.get()),
      [`void ifPresent(${F}Consumer)`]: (optional: Optional, act: Fn) => {
        if (optional.isPresent) act(optional.value);
      },
      [`${type} orElse(${type})`]: (optional: Optional, other: Value) =>
        optional.isPresent ? native(optional.value) : other,
      ...(kind === ''
        ? {
            [`def orElseGet(${F}Supplier)`]: (optional: Optional, other: Fn) =>
              optional.isPresent ? optional.value : other(),
            [`Optional filter(${F}Predicate)`]: (optional: Optional, test: Fn) =>
              optional.isPresent && isTrue(test(optional.value)) ? optional : new Optional(null),
            [`Optional map(${F}Function)`]: (optional: Optional, of: Fn) =>
              optional.isPresent ? new Optional(of(optional.value)) : optional,
            [`Optional flatMap(${F}Function)`]: (optional: Optional, of: Fn) =>
              optional.isPresent ? of(optional.value) : optional,
          }
        : {}),
    },
  };
}

const fromCollection: ClassRow = {
  name: 'java.util.Collection',
  methods: { [`${S}Stream stream()`]: (values: Value) => new JavaStream('Stream', valuesOf(values)) },
};

const fromText: ClassRow = {
  name: 'java.lang.CharSequence',
  methods: {
    [`${S}IntStream codePoints()`]: (text: string) =>
      new JavaStream(
        'IntStream',
        Array.from(text, (char) => char.codePointAt(0)!),
      ),
    [`${S}IntStream chars()`]: (text: string) =>
      new JavaStream(
        'IntStream',
        Array.from({ length: text.length }, (_none, i) => text.charCodeAt(i)),
      ),
  },
};

/** java.util.stream without its collectors, and Optional. */
export const STREAMS: AllowTable = [
  streamRow,
  numberRow('IntStream'),
  numberRow('LongStream'),
  numberRow('DoubleStream'),
  optionalRow(''),
  optionalRow('Int'),
  optionalRow('Long'),
  optionalRow('Double'),
  fromCollection,
  fromText,
  {
    name: 'java.util.Arrays',
    statics: { [`${S}Stream stream(def[])`]: (array: JavaArray) => new JavaStream('Stream', valuesOf(array)) },
  },
];
