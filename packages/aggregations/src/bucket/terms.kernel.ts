import type { Counts } from '../collect/counts.js';

/** Counts ordinals in `counts`, mapped to global ordinals by `map` (null: as they are). Skips -1. */
export function countMapped(ordinals: Int32Array, count: number, map: Int32Array | null, counts: Counts): void {
  if (map) {
    for (let i = 0; i < count; i++) if (ordinals[i]! >= 0) counts[map[ordinals[i]!]!]!++;
    return;
  }
  for (let i = 0; i < count; i++) if (ordinals[i]! >= 0) counts[ordinals[i]!]!++;
}

/**
 * Writes documents with an ordinal and that ordinal, mapped by `map`, to parallel arrays. Documents without one get
 * `missing`, or are dropped if `missing` is -1. Returns the number written.
 */
export function keepOrdinals(
  docs: Int32Array,
  ordinals: Int32Array,
  count: number,
  map: Int32Array | null,
  missing: number,
  outDocs: Int32Array,
  outIds: Int32Array,
): number {
  let size = 0;
  for (let i = 0; i < count; i++) {
    const own = ordinals[i]!;
    const id = own < 0 ? missing : map ? map[own]! : own;
    if (id < 0) continue;
    outDocs[size] = docs[i]!;
    outIds[size++] = id;
  }
  return size;
}

/** Returns the indexes of counts of at least `least`, ascending. */
export function usedOrdinals(counts: Counts, least: number): Int32Array {
  let size = 0;
  for (let id = 0; id < counts.length; id++) if (counts[id]! >= least) size++;
  const ids = new Int32Array(size);
  size = 0;
  for (let id = 0; id < counts.length; id++) if (counts[id]! >= least) ids[size++] = id;
  return ids;
}

/** Writes `values[docs[i]]` to `out[i]`. */
export function gatherOrdinals(values: Int32Array, docs: Int32Array, count: number, out: Int32Array): void {
  for (let i = 0; i < count; i++) out[i] = values[docs[i]!]!;
}

/**
 * Writes all ordinals of each document to `out`, one document after the other, with their offsets. Grows the arrays of
 * `out` if needed.
 */
export function gatherMany(
  starts: Int32Array,
  values: Int32Array,
  docs: Int32Array,
  count: number,
  out: { starts: Int32Array; values: Int32Array },
): void {
  if (out.starts.length <= count) out.starts = new Int32Array(Math.max(4096, count) + 1);
  const target = out.starts;
  let total = 0;
  for (let i = 0; i < count; i++) {
    target[i] = total;
    total += starts[docs[i]! + 1]! - starts[docs[i]!]!;
  }
  target[count] = total;
  if (out.values.length < total) out.values = new Int32Array(total * 2);
  const all = out.values;
  for (let i = 0, at = 0; i < count; i++)
    for (let v = starts[docs[i]!]!, end = starts[docs[i]! + 1]!; v < end; v++) all[at++] = values[v]!;
}

/** Counts all ordinals of documents in `counts`, mapped to global ordinals by `map` (null: as they are). */
export function countMany(
  starts: Int32Array,
  values: Int32Array,
  docs: Int32Array,
  count: number,
  map: Int32Array | null,
  counts: Counts,
): void {
  for (let i = 0; i < count; i++) {
    const end = starts[docs[i]! + 1]!;
    if (map) for (let v = starts[docs[i]!]!; v < end; v++) counts[map[values[v]!]!]!++;
    else for (let v = starts[docs[i]!]!; v < end; v++) counts[values[v]!]!++;
  }
}

/**
 * Returns the sum of the counts of `ids`. Adds to `histogram[c]` the number of ids with count c; the last entry takes
 * all larger counts.
 */
export function sumCounts(ids: Int32Array, counts: Counts, histogram: Int32Array): number {
  const last = histogram.length - 1;
  let total = 0;
  for (let i = 0; i < ids.length; i++) {
    const count = counts[ids[i]!]!;
    total += count;
    histogram[count < last ? count : last]!++;
  }
  return total;
}

/** Returns the sum of the counts of `ids`. */
export function totalOf(ids: Int32Array, counts: Counts): number {
  let total = 0;
  for (let i = 0; i < ids.length; i++) total += counts[ids[i]!]!;
  return total;
}

/** Returns those of `ids` whose count is at least `least`. */
export function idsFrom(ids: Int32Array, counts: Counts, least: number): Int32Array {
  let size = 0;
  for (let i = 0; i < ids.length; i++) if (counts[ids[i]!]! >= least) size++;
  const kept = new Int32Array(size);
  size = 0;
  for (let i = 0; i < ids.length; i++) if (counts[ids[i]!]! >= least) kept[size++] = ids[i]!;
  return kept;
}
