import { boxDouble, boxLong, unboxNumber } from './boxes.js';
import { currentBudget } from './budget.js';
import { ScriptObject, type Value } from './values.js';

/** What a stream holds: boxed values of any class, or numbers of one primitive type. */
export type StreamKind = 'Stream' | 'IntStream' | 'LongStream' | 'DoubleStream';

const ELEMENTS: Readonly<Record<StreamKind, string | null>> = {
  Stream: null,
  IntStream: 'int',
  LongStream: 'long',
  DoubleStream: 'double',
};
/** Bytes that a value counts on its way through a stage. */
const VALUE_BYTES = 16;

/** A stream of java.util.stream: values that are made one by one when its end asks for them. */
export class JavaStream extends ScriptObject {
  readonly kind: StreamKind;
  readonly #values: Iterable<Value>;

  constructor(kind: StreamKind, values: Iterable<Value>) {
    super();
    this.kind = kind;
    this.#values = values;
  }

  get javaClass(): string {
    return `java.util.stream.${this.kind}`;
  }

  /** Returns the boxed values one by one; each counts as work of the script. */
  *[Symbol.iterator](): Generator<Value> {
    const budget = currentBudget();
    let left = 1_000_000;
    for (const value of this.#values) {
      if ((--left & 0x3ff) === 0) budget.tick(left);
      yield value;
    }
  }

  /** A stream of what `stage` makes of this one's values. */
  through(kind: StreamKind, stage: (values: Iterable<Value>) => Iterable<Value>): JavaStream {
    return new JavaStream(kind, stage(this));
  }

  /** All values. */
  toList(): Value[] {
    const values: Value[] = [];
    const budget = currentBudget();
    for (const value of this) {
      budget.charge(VALUE_BYTES);
      values.push(value);
    }
    return values;
  }

  /** All values as numbers. */
  numbers(): number[] {
    return this.toList().map((value) => unboxNumber(value, 'double', false) as number);
  }
}

/** Returns a value as one of a stream of the kind: converted to its primitive type and boxed again. */
export function elementOf(kind: StreamKind, value: Value): Value {
  const type = ELEMENTS[kind];
  if (type === null) return value;
  const number = unboxNumber(value, type, true);
  if (type === 'double') return boxDouble(number as number);
  return type === 'long' ? boxLong(number) : number;
}
