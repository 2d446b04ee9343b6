/**
 * Sets the mark of each ordinal, mapped to global ordinals by `map` (null: as they are). -1 marks `missing`, unless
 * `missing` is -1 too.
 */
export function markOrdinals(
  ordinals: Int32Array,
  count: number,
  map: Int32Array | null,
  missing: number,
  seen: Uint8Array,
): void {
  for (let i = 0; i < count; i++) {
    const own = ordinals[i]!;
    if (own >= 0) seen[map ? map[own]! : own] = 1;
    else if (missing >= 0) seen[missing] = 1;
  }
}

/** Counts the marks. */
export function countMarks(seen: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < seen.length; i++) sum += seen[i]!;
  return sum;
}
