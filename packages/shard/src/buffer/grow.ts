/** Capacity that holds `need` items, growing by half. */
const capacityFor = (length: number, need: number): number => Math.max(need, length + (length >>> 1), 16);

/** `array` with room for `need` items; what is beyond its old length is `fill`. */
export function grownInt32(array: Int32Array, need: number, fill = 0): Int32Array {
  if (array.length >= need) return array;
  const grown = new Int32Array(capacityFor(array.length, need));
  grown.set(array);
  if (fill !== 0) grown.fill(fill, array.length);
  return grown;
}

/** `array` with room for `need` items. */
export function grownUint8(array: Uint8Array, need: number, fill = 0): Uint8Array {
  if (array.length >= need) return array;
  const grown = new Uint8Array(capacityFor(array.length, need));
  grown.set(array);
  if (fill !== 0) grown.fill(fill, array.length);
  return grown;
}

/** `array` with room for `need` items. */
export function grownFloat64(array: Float64Array, need: number): Float64Array {
  if (array.length >= need) return array;
  const grown = new Float64Array(capacityFor(array.length, need));
  grown.set(array);
  return grown;
}
