/** Writes ordinals as doubles to `out`, mapped to global ordinals by `map` (null: as they are). -1 becomes NaN. */
export function ordinalCodes(ordinals: Int32Array, count: number, map: Int32Array | null, out: Float64Array): void {
  if (map) {
    for (let i = 0; i < count; i++) out[i] = ordinals[i]! < 0 ? Number.NaN : map[ordinals[i]!]!;
    return;
  }
  for (let i = 0; i < count; i++) out[i] = ordinals[i]! < 0 ? Number.NaN : ordinals[i]!;
}

/**
 * Writes the indexes of codes between `after` and `bound`, both included, to `rows`, in the direction of `sign`. NaN
 * counts as `missing`; if `missing` is NaN too, the document is dropped. Returns the number of rows.
 */
export function keepWanted(
  codes: Float64Array,
  count: number,
  after: number,
  bound: number,
  missing: number,
  sign: number,
  rows: Int32Array,
): number {
  const low = sign > 0 ? after : bound;
  const high = sign > 0 ? bound : after;
  let size = 0;
  for (let i = 0; i < count; i++) {
    const own = codes[i]!;
    const code = own === own ? own : missing;
    rows[size] = i;
    size += Number(code >= low) & Number(code <= high);
  }
  return size;
}
