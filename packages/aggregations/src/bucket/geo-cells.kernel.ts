/** Spreads the low 15 bits of a number to every second bit, to interleave two numbers to a geohash. */
function spread(value: number): number {
  let v = value & 0xffff;
  v = (v | (v << 8)) & 0x00ff00ff;
  v = (v | (v << 4)) & 0x0f0f0f0f;
  v = (v | (v << 2)) & 0x33333333;
  return (v | (v << 1)) & 0x55555555;
}

/**
 * Writes geohash cells of `length` ≤ 6 characters as integers of 5 · length bits to `out`. The first bit is of the
 * longitude, which has one bit more if their number is odd.
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
 * Keeps documents with a point (latitude not NaN): writes them to `outDocs` and their parent buckets (0 if `buckets` is
 * null) to `outOwners`, and moves their cells to the front of `cells`. Returns the number kept.
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
