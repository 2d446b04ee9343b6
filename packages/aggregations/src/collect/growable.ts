import type { Scratch } from '@shoal/query';

/** Typed arrays that grow with the number of buckets. */

/**
 * Returns an array of at least `length` doubles with the content of `array`; new entries are `fill`. Borrowed from
 * `scratch` if given.
 */
export function growDoubles(
  array: Float64Array<ArrayBuffer>,
  length: number,
  fill = 0,
  scratch?: Scratch,
): Float64Array<ArrayBuffer> {
  if (array.length >= length) return array;
  const size = Math.max(length, array.length * 2, 16);
  const next = scratch?.numbers(size) ?? new Float64Array(size);
  if (fill !== 0 || scratch !== undefined) next.fill(fill, array.length);
  next.set(array);
  return next;
}

/**
 * Returns an array of at least `length` integers with the content of `array`; new entries are `fill`. Borrowed from
 * `scratch` if given.
 */
export function growInts(
  array: Int32Array<ArrayBuffer>,
  length: number,
  fill = 0,
  scratch?: Scratch,
): Int32Array<ArrayBuffer> {
  if (array.length >= length) return array;
  const size = Math.max(length, array.length * 2, 16);
  const next = scratch?.ints(size) ?? new Int32Array(size);
  if (fill !== 0 || scratch !== undefined) next.fill(fill, array.length);
  next.set(array);
  return next;
}

/** Returns an array of at least `length` integers with undefined content. Borrowed from `scratch` if given. */
export function roomForInts(
  array: Int32Array<ArrayBuffer>,
  length: number,
  scratch: Scratch | undefined,
): Int32Array<ArrayBuffer> {
  if (array.length >= length) return array;
  return scratch === undefined ? new Int32Array(Math.max(length, array.length * 2, 64)) : scratch.ints(length);
}

/** Returns an array of at least `length` doubles with undefined content. Borrowed from `scratch` if given. */
export function roomForDoubles(
  array: Float64Array<ArrayBuffer>,
  length: number,
  scratch: Scratch | undefined,
): Float64Array<ArrayBuffer> {
  if (array.length >= length) return array;
  return scratch === undefined ? new Float64Array(Math.max(length, array.length * 2, 64)) : scratch.numbers(length);
}
