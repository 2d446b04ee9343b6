/** A long: a number where its size is below 2^53, else a bigint. */
export type Long = number | bigint;

const EXACT = 2 ** 53;
const BIG_EXACT = 2n ** 53n;
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** Wraps a whole number of any size to 64 bits. */
export function wrapLong(value: bigint): Long {
  const wrapped = BigInt.asIntN(64, value);
  return wrapped < BIG_EXACT && wrapped > -BIG_EXACT ? Number(wrapped) : wrapped;
}

/** Whether the result of a sum of whole numbers of doubles is exact. */
export const isExact = (value: number): boolean => value < EXACT && value > -EXACT;

export function addLong(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (isExact(sum)) return sum;
  }
  return wrapLong(BigInt(a) + BigInt(b));
}

export function subtractLong(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (isExact(difference)) return difference;
  }
  return wrapLong(BigInt(a) - BigInt(b));
}

/** A product below 2^53 in doubles is exact, since rounding is monotonic. */
export function multiplyLong(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (isExact(product)) return product + 0;
  }
  return wrapLong(BigInt(a) * BigInt(b));
}

/** Division towards zero; the divisor is not zero. */
export function divideLong(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return wrapLong(BigInt(a) / BigInt(b));
}

export function remainderLong(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number') {
    const [x, y] = [a | 0, b | 0];
    // V8 divides int32 in one instruction; doubles take it 30 ns.
    return x === a && y === b ? (x % y) | 0 : (a % b) + 0;
  }
  return wrapLong(BigInt(a) % BigInt(b));
}

export function negateLong(a: Long): Long {
  return typeof a === 'number' ? 0 - a : wrapLong(-a);
}

const isInt = (a: Long): a is number => typeof a === 'number' && (a | 0) === a;

export function andLong(a: Long, b: Long): Long {
  return isInt(a) && isInt(b) ? a & b : wrapLong(BigInt(a) & BigInt(b));
}

export function orLong(a: Long, b: Long): Long {
  return isInt(a) && isInt(b) ? a | b : wrapLong(BigInt(a) | BigInt(b));
}

export function xorLong(a: Long, b: Long): Long {
  return isInt(a) && isInt(b) ? a ^ b : wrapLong(BigInt(a) ^ BigInt(b));
}

/** Shifts take the low six bits of their amount, as in Java. */
export function shiftLeftLong(a: Long, by: number): Long {
  return wrapLong(BigInt(a) << BigInt(by & 63));
}

export function shiftRightLong(a: Long, by: number): Long {
  const bits = by & 63;
  if (isInt(a)) return bits > 31 ? (a < 0 ? -1 : 0) : a >> bits;
  return wrapLong(BigInt(a) >> BigInt(bits));
}

export function shiftRightUnsignedLong(a: Long, by: number): Long {
  return wrapLong(BigInt.asUintN(64, BigInt(a)) >> BigInt(by & 63));
}

/** Returns a double cut to a long: NaN is 0, what is beyond the range is its end. */
export function doubleToLong(value: number): Long {
  if (Number.isNaN(value)) return 0;
  const whole = Math.trunc(value);
  if (isExact(whole)) return whole + 0;
  if (whole >= 2 ** 63) return MAX;
  return whole <= -(2 ** 63) ? MIN : BigInt(whole);
}

/** Returns the low 32 bits of a long. */
export function longToInt(value: Long): number {
  return typeof value === 'number' ? value | 0 : Number(BigInt.asIntN(32, value));
}

/** Returns a double cut to an int: NaN is 0, what is beyond the range is its end. */
export function doubleToInt(value: number): number {
  if (value >= 2147483647) return 2147483647;
  return value <= -2147483648 ? -2147483648 : value | 0;
}

export function longToDouble(value: Long): number {
  return Number(value);
}
