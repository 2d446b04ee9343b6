/** Counts ordinals (-1: none). */
export function countOrdinals(ordinals: Int32Array, count: number, counts: Int32Array): void {
  for (let i = 0; i < count; i++) {
    const ordinal = ordinals[i]!;
    if (ordinal >= 0) counts[ordinal]!++;
  }
}

/** Numbers each ordinal by `map`, in place; -1 stays. */
export function mapOrdinals(ordinals: Int32Array, count: number, map: Int32Array): void {
  for (let i = 0; i < count; i++) {
    const ordinal = ordinals[i]!;
    if (ordinal >= 0) ordinals[i] = map[ordinal]!;
  }
}

/** Numbers each ordinal by `map` into `out`; -1 becomes `missing`. */
export function mapOrdinalsTo(ordinals: Int32Array, count: number, map: Int32Array | null, missing: number, out: Int32Array): void {
  for (let i = 0; i < count; i++) {
    const ordinal = ordinals[i]!;
    out[i] = ordinal < 0 ? missing : map ? map[ordinal]! : ordinal;
  }
}

/** Counts whole numbers in [base, base + counts.length); NaN is none. */
export function countIntegers(values: Float64Array, count: number, base: number, counts: Int32Array): void {
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value === value) counts[(value - base) | 0]!++;
  }
}
