/** `Array.from` of a typed array goes through an iterator: an object an element. These do not. */

/** What `value` says of each bucket number. */
export function ofIds<T>(ids: Int32Array, value: (id: number) => T): T[] {
  const all: T[] = [];
  for (let i = 0; i < ids.length; i++) all.push(value(ids[i]!));
  return all;
}

/** The same where they are numbers. */
export function numbersOfIds(ids: Int32Array, value: (id: number) => number): Float64Array {
  const all = new Float64Array(ids.length);
  for (let i = 0; i < ids.length; i++) all[i] = value(ids[i]!);
  return all;
}
