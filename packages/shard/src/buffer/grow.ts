/** Returns a capacity for `need` items: at least half as much again as `length`, at least 16. */
const capacityFor = (length: number, need: number): number => Math.max(need, length + (length >>> 1), 16);

/** Returns `array` with room for `need` items. Entries beyond the old length are `fill`. */
export function growInt32(array: Int32Array, need: number, fill = 0): Int32Array {
  if (array.length >= need) return array;
  const grown = new Int32Array(capacityFor(array.length, need));
  grown.set(array);
  if (fill !== 0) grown.fill(fill, array.length);
  return grown;
}

/** Returns `array` with room for `need` items. Entries beyond the old length are `fill`. */
export function growUint8(array: Uint8Array, need: number, fill = 0): Uint8Array {
  if (array.length >= need) return array;
  const grown = new Uint8Array(capacityFor(array.length, need));
  grown.set(array);
  if (fill !== 0) grown.fill(fill, array.length);
  return grown;
}

/** Returns `array` with room for `need` items. */
export function growFloat64(array: Float64Array, need: number): Float64Array {
  if (array.length >= need) return array;
  const grown = new Float64Array(capacityFor(array.length, need));
  grown.set(array);
  return grown;
}
