/**
 * Usual deviations of places as 16 bits: seven of the exponent, from 2^-63 to 2^64, and nine behind the leading one.
 * A place learns at least a fiftieth of how far a deviation is from the usual one; a step of 0.2 % loses none of it.
 */

/** Bits of a float32 that are left out, and the code of 2^-64 without the sign. */
const DROPPED = 14;
const HALF = 1 << (DROPPED - 1);
const FIRST = 63 << 9;
const CODE_MAX = 0xffff;

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Code of `size`, which is not negative; 0 for what is less than 2^-63. */
export function sizeCode(size: number): number {
  float[0] = size;
  const code = ((bits[0]! + HALF) >>> DROPPED) - FIRST;
  return code < 0 ? 0 : code > CODE_MAX ? CODE_MAX : code;
}

/** Size of a code. */
export function sizeOf(code: number): number {
  if (code === 0) return 0;
  bits[0] = (code + FIRST) << DROPPED;
  return float[0]!;
}
