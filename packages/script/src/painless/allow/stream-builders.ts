import { unboxNumber } from '../../runtime/boxes.js';
import { currentBudget } from '../../runtime/budget.js';
import { type Fn, valuesOf } from '../../runtime/collections.js';
import { Optional } from '../../runtime/optional.js';
import { elementOf, JavaStream, type StreamKind } from '../../runtime/streams.js';
import { type ExceptionValue, raised, Thrown } from '../../runtime/thrown.js';
import { JavaArray, ScriptObject, type Value } from '../../runtime/values.js';
import { Cursor } from './collections.js';
import type { AllowTable, ClassRow } from './class-row.js';

const F = 'java.util.function.';
const S = 'java.util.stream.';

/** java.util.stream.Stream.Builder and its kin. */
class StreamBuilder extends ScriptObject {
  readonly kind: StreamKind;
  #values: Value[] | null = [];

  constructor(kind: StreamKind) {
    super();
    this.kind = kind;
  }

  get javaClass(): string {
    return `${S}${this.kind}.Builder`;
  }

  accept(value: Value): void {
    if (this.#values === null) throw new Thrown('java.lang.IllegalStateException', null);
    currentBudget().charge(16);
    this.#values.push(elementOf(this.kind, value));
  }

  build(): JavaStream {
    if (this.#values === null) throw new Thrown('java.lang.IllegalStateException', null);
    const values = this.#values;
    this.#values = null;
    return new JavaStream(this.kind, values);
  }
}

function* joined(...streams: readonly JavaStream[]): Generator<Value> {
  for (const stream of streams) yield* stream;
}

function* flattened(values: Iterable<Value>, of: Fn): Generator<Value> {
  for (const value of values) yield* of(value) as JavaStream;
}

const flatTo = (kind: StreamKind) => (stream: JavaStream, of: Fn) =>
  stream.through(kind, (values) => flattened(values, of));

/** Collects into what a supplier makes. Streams have one part, so nothing is ever combined. */
function collectInto(stream: JavaStream, supply: Fn, accumulate: Fn): Value {
  const result = supply();
  for (const value of stream) accumulate(result, value);
  return result;
}

const same = (stream: JavaStream): JavaStream => stream;

/** Members that streams of all kinds have, and that change nothing where there is one thread. */
function plain(kind: StreamKind): ClassRow['methods'] {
  const own = `${S}${kind}`;
  return {
    [`${own} sequential()`]: same,
    [`${own} unordered()`]: same,
    'boolean isParallel()': () => false,
    'void close()': () => undefined,
    'java.util.Iterator iterator()': (stream: JavaStream) => new Cursor(stream.toList()),
  };
}

function builderRow(kind: StreamKind, type: string): ClassRow {
  const name = `${S}${kind}.Builder`;
  const add = (builder: StreamBuilder, value: Value): StreamBuilder => {
    builder.accept(value);
    return builder;
  };
  return {
    name,
    methods: {
      [`void accept(${type})`]: (builder: StreamBuilder, value: Value) => builder.accept(value),
      [`${name} add(${type})`]: add,
      [`${S}${kind} build()`]: (builder: StreamBuilder) => builder.build(),
    },
  };
}

function numberRow(short: 'Int' | 'Long' | 'Double'): ClassRow {
  const kind = `${short}Stream` as const;
  const type = short.toLowerCase();
  const own = `${S}${kind}`;
  const boxed = (value: Value): Value => elementOf(kind, value);
  return {
    name: own,
    statics: {
      [`${own}.Builder builder()`]: () => new StreamBuilder(kind),
      [`${own} empty()`]: () => new JavaStream(kind, []),
      [`${own} concat(${own},${own})`]: (a: JavaStream, b: JavaStream) => new JavaStream(kind, joined(a, b)),
      [`${own} of(${type}[])`]: (values: Value) => new JavaStream(kind, [...valuesOf(values)].map(boxed)),
    },
    methods: {
      ...plain(kind),
      [`def collect(${F}Supplier,${F}Obj${short}Consumer,${F}BiConsumer)`]: collectInto,
    },
  };
}

function optionalRow(short: 'Int' | 'Long' | 'Double'): ClassRow {
  const type = short.toLowerCase();
  const native = (value: Value): Value => unboxNumber(value, type, false);
  return {
    name: `java.util.Optional${short}`,
    methods: {
      [`${type} orElseGet(${F}${short}Supplier)`]: (optional: Optional, other: Fn) =>
        native(optional.isPresent ? optional.value : other()),
      [`${type} orElseThrow(${F}Supplier)`]: (optional: Optional, fail: Fn) => native(presentOr(optional, fail)),
    },
  };
}

function presentOr(optional: Optional, fail: Fn): Value {
  if (optional.isPresent) return optional.value;
  throw raised(fail() as ExceptionValue | null);
}

/** More members of java.util.stream and of the Optionals. */
export const STREAM_BUILDERS: AllowTable = [
  {
    name: `${S}Stream`,
    statics: { [`${S}Stream.Builder builder()`]: () => new StreamBuilder('Stream') },
    methods: {
      ...plain('Stream'),
      [`def collect(${F}Supplier,${F}BiConsumer,${F}BiConsumer)`]: collectInto,
      [`def reduce(def,${F}BiFunction,${F}BinaryOperator)`]: (stream: JavaStream, start: Value, fold: Fn) => {
        let result = start;
        for (const value of stream) result = fold(result, value);
        return result;
      },
      [`def[] toArray(${F}IntFunction)`]: (stream: JavaStream) => new JavaArray('def', stream.toList()),
      [`${S}IntStream flatMapToInt(${F}Function)`]: flatTo('IntStream'),
      [`${S}LongStream flatMapToLong(${F}Function)`]: flatTo('LongStream'),
      [`${S}DoubleStream flatMapToDouble(${F}Function)`]: flatTo('DoubleStream'),
    },
  },
  numberRow('Int'),
  numberRow('Long'),
  numberRow('Double'),
  builderRow('Stream', 'def'),
  builderRow('IntStream', 'int'),
  builderRow('LongStream', 'long'),
  builderRow('DoubleStream', 'double'),
  { name: 'java.util.Optional', methods: { [`def orElseThrow(${F}Supplier)`]: presentOr } },
  optionalRow('Int'),
  optionalRow('Long'),
  optionalRow('Double'),
];
