/** Counts ordinals (-1: none), numbered by `map` when given. */
export function countMapped(ordinals: Int32Array, count: number, map: Int32Array | null, counts: Int32Array): void {
  if (map) {
    for (let i = 0; i < count; i++) if (ordinals[i]! >= 0) counts[map[ordinals[i]!]!]!++;
    return;
  }
  for (let i = 0; i < count; i++) if (ordinals[i]! >= 0) counts[ordinals[i]!]!++;
}

/** Documents with an ordinal, and its number, side by side; documents without get `missing` unless that is -1. Returns how many. */
export function keepOrdinals(docs: Int32Array, ordinals: Int32Array, count: number, map: Int32Array | null, missing: number, outDocs: Int32Array, outIds: Int32Array): number {
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

/** Numbers whose count is at least `least`, ascending. */
export function usedOrdinals(counts: Int32Array, least: number): Int32Array {
  let size = 0;
  for (let id = 0; id < counts.length; id++) if (counts[id]! >= least) size++;
  const ids = new Int32Array(size);
  size = 0;
  for (let id = 0; id < counts.length; id++) if (counts[id]! >= least) ids[size++] = id;
  return ids;
}
