/** Interleaves the low 15 bits of two numbers: those of `x` at even places from the top of a geohash. */
function spread(value: number): number {
  let v = value & 0xffff;
  v = (v | (v << 8)) & 0x00ff00ff;
  v = (v | (v << 4)) & 0x0f0f0f0f;
  v = (v | (v << 2)) & 0x33333333;
  return (v | (v << 1)) & 0x55555555;
}

/**
 * Geohash cells of `length` ≤ 6 characters as integers of 5 · length bits, into `out`. Longitude has the first bit;
 * with an odd number of bits it has one more than latitude.
 */
export function shortGeohashCells(
  lats: Float64Array,
  lons: Float64Array,
  count: number,
  length: number,
  out: Float64Array,
): void {
  const lonBits = (5 * length + 1) >> 1;
  const latBits = (5 * length) >> 1;
  const lonCells = 2 ** lonBits;
  const latCells = 2 ** latBits;
  const lonShift = lonBits > latBits ? 0 : 1;
  for (let i = 0; i < count; i++) {
    const x = Math.min(lonCells - 1, Math.max(0, Math.floor(((lons[i]! + 180) / 360) * lonCells)));
    const y = Math.min(latCells - 1, Math.max(0, Math.floor(((lats[i]! + 90) / 180) * latCells)));
    out[i] = ((spread(x) << lonShift) | (spread(y) << (1 - lonShift))) >>> 0;
  }
}

/**
 * Keeps documents with a point: themselves, the buckets of their parents (0 without) and, moved together, their cells.
 * Returns how many.
 */
export function keepCells(
  docs: Int32Array,
  buckets: Int32Array | null,
  lats: Float64Array,
  cells: Float64Array,
  count: number,
  outDocs: Int32Array,
  outOwners: Int32Array,
): number {
  let size = 0;
  for (let i = 0; i < count; i++) {
    outDocs[size] = docs[i]!;
    outOwners[size] = buckets ? buckets[i]! : 0;
    cells[size] = cells[i]!;
    size += Number(lats[i] === lats[i]);
  }
  return size;
}
