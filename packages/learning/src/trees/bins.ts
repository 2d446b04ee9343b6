/**
 * Columns of numbers as bins of one byte: what histograms of gradients are summed over (Ke et al. 2017, "LightGBM").
 * A feature with `c` cuts has bins 0 to `c`, and bin `c + 1` for rows without a value. A value is left of cut `b` if it
 * is less than it.
 */

/** Cuts of a feature at most: with the bin of missing values a row's bin fits a byte. */
const CUTS_MAX = 253;
/** Rows for a bin: few rows have few bins, or splits follow their noise. */
const ROWS_PER_BIN = 4;
const CUTS_LEAST = 63;

/** A table of features in bins. */
export interface BinnedTable {
  readonly rows: number;
  /** Bins of each row, by feature. */
  readonly columns: readonly Uint8Array[];
  readonly cuts: readonly Float64Array[];
  /** First cell of a feature in a histogram (a cell is two numbers); behind the last feature the number of cells. */
  readonly offsets: Int32Array;
}

/** Bytes of a binned table. */
export const binnedBytes = (rows: number, features: number): number => features * (rows + CUTS_MAX * 8);

/** Puts columns into bins. NaN is a missing value. `known`: rows whose values make the cuts. */
export function binTable(columns: readonly Float64Array[], known: Int32Array): BinnedTable {
  const most = Math.min(CUTS_MAX - 1, Math.max(CUTS_LEAST, Math.floor(known.length / ROWS_PER_BIN)));
  const cuts = columns.map((column) => cutsOf(column, known, most));
  const offsets = new Int32Array(columns.length + 1);
  cuts.forEach((own, f) => (offsets[f + 1] = offsets[f]! + own.length + 2));
  return {
    rows: columns[0]?.length ?? 0,
    columns: columns.map((column, f) => binsOf(column, cuts[f]!)),
    cuts,
    offsets,
  };
}

/** Cuts between the values of a column: between all if they are few, else at quantiles. */
function cutsOf(column: Float64Array, known: Int32Array, most: number): Float64Array {
  const sorted = Float64Array.from(known, (row) => column[row]!)
    .filter((value) => !Number.isNaN(value))
    .sort();
  const distinct = sorted.filter((value, i) => i === 0 || value !== sorted[i - 1]);
  // Where values are missing, a cut that no value lies below parts rows without a value from all others.
  const isMissing = distinct.length > 0 && sorted.length < known.length;
  const first = isMissing ? [distinct[0]!] : [];
  const between = (i: number): number => {
    const middle = distinct[i]! / 2 + distinct[i + 1]! / 2;
    // Between neighbouring doubles there is none: the upper one parts them as well, since less is left.
    return middle > distinct[i]! ? middle : distinct[i + 1]!;
  };
  if (distinct.length <= most + 1)
    return Float64Array.from([
      ...first,
      ...Array.from({ length: Math.max(0, distinct.length - 1) }, (_, i) => between(i)),
    ]);
  const cuts = first;
  let at = 0;
  for (let q = 1; q <= most; q++) {
    const value = sorted[Math.floor((q * sorted.length) / (most + 1))]!;
    while (distinct[at + 1] !== undefined && distinct[at + 1]! < value) at++;
    const cut = value === distinct[0] ? between(0) : between(distinct[at] === value ? at - 1 : at);
    if (cuts.length === 0 || cut > cuts[cuts.length - 1]!) cuts.push(cut);
  }
  return Float64Array.from(cuts);
}

function binsOf(column: Float64Array, cuts: Float64Array): Uint8Array {
  return Uint8Array.from(column, (value) => {
    if (Number.isNaN(value)) return cuts.length + 1;
    let low = 0;
    let high = cuts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value < cuts[middle]!) high = middle;
      else low = middle + 1;
    }
    return low;
  });
}
