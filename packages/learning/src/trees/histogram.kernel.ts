/** Sums of gradients by bin, and what is walked over bins: the loops in which training spends its time. */

/**
 * Adds the gradients of rows to the histogram of a feature. `rows[from..to)` are the rows of a leaf, `pairs` their
 * gradients and curvatures one after the other, from `rows[from]` on; `offset` is the feature's first cell.
 */
export function addToHistogram(
  column: Uint8Array,
  rows: Int32Array,
  from: number,
  to: number,
  pairs: Float64Array,
  histogram: Float64Array,
  offset: number,
): void {
  for (let k = from, p = 0; k < to; k++, p += 2) {
    const cell = (offset + column[rows[k]!]!) << 1;
    histogram[cell]! += pairs[p]!;
    histogram[cell + 1]! += pairs[p + 1]!;
  }
}

/** Writes gradients and curvatures of `rows[from..to)` to `pairs`, in order. */
export function gatherPairs(
  rows: Int32Array,
  from: number,
  to: number,
  gradients: Float64Array,
  curvatures: Float64Array,
  pairs: Float64Array,
): void {
  for (let k = from, p = 0; k < to; k++, p += 2) {
    const row = rows[k]!;
    pairs[p] = gradients[row]!;
    pairs[p + 1] = curvatures[row]!;
  }
}

/**
 * Parts `rows[from..to)` in place into those left of a cut and the others, each in their order; returns where the
 * others begin. `missing` is the bin of missing values. `scratch` holds as many rows.
 */
export function partRows(
  column: Uint8Array,
  rows: Int32Array,
  from: number,
  to: number,
  bin: number,
  missing: number,
  isMissingLeft: boolean,
  scratch: Int32Array,
): number {
  let left = from;
  let right = 0;
  for (let k = from; k < to; k++) {
    const row = rows[k]!;
    const own = column[row]!;
    const isLeft = own === missing ? isMissingLeft : own <= bin;
    if (isLeft) rows[left++] = row;
    else scratch[right++] = row;
  }
  for (let k = 0; k < right; k++) rows[left + k] = scratch[k]!;
  return left;
}
