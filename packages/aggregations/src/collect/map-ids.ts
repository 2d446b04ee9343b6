/** Loops instead of `Array.from`, which iterates a typed array with one object an element. */

/** Returns `value(id)` for each bucket number. */
export function mapIds<T>(ids: Int32Array, value: (id: number) => T): T[] {
  const all: T[] = [];
  for (let i = 0; i < ids.length; i++) all.push(value(ids[i]!));
  return all;
}

/** Returns the number `value(id)` for each bucket number. */
export function mapIdsToNumbers(ids: Int32Array, value: (id: number) => number): Float64Array {
  const all = new Float64Array(ids.length);
  for (let i = 0; i < ids.length; i++) all[i] = value(ids[i]!);
  return all;
}
