/** Writes ordinals as doubles to `out`, mapped to global ordinals by `map` (null: as they are). -1 becomes NaN. */
export function ordinalCodes(ordinals: Int32Array, count: number, map: Int32Array | null, out: Float64Array): void {
  if (map) {
    for (let i = 0; i < count; i++) out[i] = ordinals[i]! < 0 ? Number.NaN : map[ordinals[i]!]!;
    return;
  }
  for (let i = 0; i < count; i++) out[i] = ordinals[i]! < 0 ? Number.NaN : ordinals[i]!;
}

/**
 * Writes the indexes of values from `low` to `high`, both included, to `rows`, and the values to `codes`, which may be
 * `values`. NaN counts as `missing`; if `missing` is NaN too, the document is dropped. Returns the number of rows.
 */
export function keepCodesBetween(
  values: Float64Array,
  count: number,
  low: number,
  high: number,
  missing: number,
  rows: Int32Array,
  codes: Float64Array,
): number {
  let size = 0;
  for (let i = 0; i < count; i++) {
    const own = values[i]!;
    const code = own === own ? own : missing;
    rows[size] = i;
    codes[size] = code;
    size += Number(code >= low) & Number(code <= high);
  }
  return size;
}

/**
 * Writes the indexes in the window of the documents whose code is from `low` to `high` to `rows`, and their codes to
 * `codes`. The code of a document is its ordinal in `values` (indexed by document), mapped to a global ordinal by `map`
 * (null: as it is); `missing` for ordinal -1, where NaN drops the document. Returns the number of rows.
 */
export function keepOrdinalsBetween(
  values: Int32Array,
  docs: Int32Array,
  count: number,
  map: Int32Array | null,
  low: number,
  high: number,
  missing: number,
  rows: Int32Array,
  codes: Float64Array,
): number {
  let size = 0;
  for (let i = 0; i < count; i++) {
    const own = values[docs[i]!]!;
    const code = own < 0 ? missing : map === null ? own : map[own]!;
    rows[size] = i;
    codes[size] = code;
    size += Number(code >= low) & Number(code <= high);
  }
  return size;
}
