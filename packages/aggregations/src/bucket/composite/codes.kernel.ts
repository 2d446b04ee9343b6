/** Ordinals, numbered by `map` when given, as doubles; -1 becomes NaN. */
export function ordinalCodes(ordinals: Int32Array, count: number, map: Int32Array | null, out: Float64Array): void {
  if (map) {
    for (let i = 0; i < count; i++) out[i] = ordinals[i]! < 0 ? Number.NaN : map[ordinals[i]!]!;
    return;
  }
  for (let i = 0; i < count; i++) out[i] = ordinals[i]! < 0 ? Number.NaN : ordinals[i]!;
}
