import type { MultiNumbers } from '@shoal/segments';

/** Whether ascending documents (repeats allowed) are consecutive numbers without repeats. */
export function isContiguous(docs: Int32Array, count: number): boolean {
  if (count === 0 || docs[count - 1]! - docs[0]! !== count - 1) return false;
  // With repeats a run could have the same span only if it also had holes.
  for (let i = 1; i < count; i++) if (docs[i]! !== docs[i - 1]! + 1) return false;
  return true;
}

/** Replaces NaN by `missing`. */
export function fillMissing(values: Float64Array, count: number, missing: number): void {
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value !== value) values[i] = missing;
  }
}

/** Returns a copy in which documents without values have the value `missing`. */
export function fillMissingMany(multi: MultiNumbers, count: number, missing: number): MultiNumbers {
  const starts = new Int32Array(count + 1);
  const values = new Float64Array(multi.starts[count]! + count);
  let end = 0;
  for (let i = 0; i < count; i++) {
    const from = multi.starts[i]!;
    const to = multi.starts[i + 1]!;
    if (from === to) values[end++] = missing;
    for (let j = from; j < to; j++) values[end++] = multi.values[j]!;
    starts[i + 1] = end;
  }
  return { starts, values };
}
