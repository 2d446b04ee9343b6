import type { Counts } from './counts.js';

/**
 * Returns the bucket that all documents of a batch belong to, -1 if there are several or the batch is empty. Documents
 * indexed in order of time mostly share a bucket of a histogram. `buckets` null means bucket 0.
 */
export function onlyBucket(buckets: Int32Array | null, count: number): number {
  if (count === 0) return -1;
  if (!buckets) return 0;
  const first = buckets[0]!;
  if (buckets[count - 1] !== first) return -1;
  for (let i = 1; i < count; i++) if (buckets[i] !== first) return -1;
  return first;
}

/** Counts the documents of a batch by bucket. */
export function countBuckets(buckets: Int32Array, count: number, counts: Counts): void {
  const only = onlyBucket(buckets, count);
  if (only >= 0) counts[only]! += count;
  else for (let i = 0; i < count; i++) counts[buckets[i]!]!++;
}
