/** Ordinals, numbered by `map` when given, as doubles; -1 becomes NaN. */
export function ordinalCodes(ordinals: Int32Array, count: number, map: Int32Array | null, out: Float64Array): void {
  if (map) {
    for (let i = 0; i < count; i++) out[i] = ordinals[i]! < 0 ? Number.NaN : map[ordinals[i]!]!;
    return;
  }
  for (let i = 0; i < count; i++) out[i] = ordinals[i]! < 0 ? Number.NaN : ordinals[i]!;
}

/**
 * Places of the codes from `after` to `bound` in the order that `sign` gives, both included, into `rows`; NaN stands
 * for `missing` and is left out where that is NaN too. Returns how many.
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
