import { doubleToInt, doubleToLong } from '../runtime/longs.js';

/** Works a number out from the values of an expression's variables, in their order. */
export type Evaluate = (values: Float64Array) => number;

/**
 * A part of an expression. All numbers are doubles but those of bits, which are longs; where a part is asked for bits
 * or as a condition, it is converted as Java converts it.
 */
export interface Computed {
  readonly double: Evaluate;
  /** As a 64-bit integer: for operators of bits. */
  readonly long: (values: Float64Array) => bigint;
  /** As a 32-bit integer: for conditions and for how far to shift. */
  readonly int: Evaluate;
}

export function ofDouble(double: Evaluate): Computed {
  return {
    double,
    long: (values) => BigInt(doubleToLong(double(values))),
    int: (values) => doubleToInt(double(values)),
  };
}

export function ofLong(long: (values: Float64Array) => bigint): Computed {
  return {
    double: (values) => Number(long(values)),
    long,
    int: (values) => Number(BigInt.asIntN(32, long(values))),
  };
}

/** A number that is 0 or 1. */
export function ofFlag(flag: (values: Float64Array) => boolean): Computed {
  const int: Evaluate = (values) => (flag(values) ? 1 : 0);
  return { double: int, long: (values) => (flag(values) ? 1n : 0n), int };
}

export function conditional({ int }: Computed, yes: Computed, no: Computed): Computed {
  return {
    double: (values) => (int(values) !== 0 ? yes.double(values) : no.double(values)),
    long: (values) => (int(values) !== 0 ? yes.long(values) : no.long(values)),
    int: (values) => (int(values) !== 0 ? yes.int(values) : no.int(values)),
  };
}
