import type { Scratch } from '@shoal/query';

/** Typed arrays that grow with the number of buckets. */

/** At least `length` numbers, new ones `fill`; borrowed from `scratch` where there is one. */
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

/** The same for integers. */
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

/** Room for `length` integers whose content does not matter, borrowed from `scratch` where there is one. */
export function roomForInts(
  array: Int32Array<ArrayBuffer>,
  length: number,
  scratch: Scratch | undefined,
): Int32Array<ArrayBuffer> {
  if (array.length >= length) return array;
  return scratch === undefined ? new Int32Array(Math.max(length, array.length * 2, 64)) : scratch.ints(length);
}

/** The same for doubles. */
export function roomForDoubles(
  array: Float64Array<ArrayBuffer>,
  length: number,
  scratch: Scratch | undefined,
): Float64Array<ArrayBuffer> {
  if (array.length >= length) return array;
  return scratch === undefined ? new Float64Array(Math.max(length, array.length * 2, 64)) : scratch.numbers(length);
}
