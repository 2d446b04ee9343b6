/** Adds 1 to the count of each bucket. */
export function countBuckets(ids: Int32Array, count: number, counts: Int32Array): void {
  for (let i = 0; i < count; i++) counts[ids[i]!]!++;
}

/** Adds `weights[i]` (documents that a document stands for) to the count of each bucket. */
export function countWeighted(ids: Int32Array, weights: Int32Array, count: number, counts: Int32Array): void {
  for (let i = 0; i < count; i++) counts[ids[i]!]! += weights[i]!;
}
