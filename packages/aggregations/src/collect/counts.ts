import type { Scratch } from '@shoal/query';
import { growDoubles, growInts } from './growable.js';

/**
 * Numbers of documents by bucket. A shard has fewer than 2^31 documents, but each may stand for many (`_doc_count`):
 * sums of those are kept in doubles.
 */
export type Counts = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Returns counts of at least `length` buckets with the content of `counts`; borrowed from `scratch` if given. */
export function growCounts(counts: Counts, length: number, scratch?: Scratch): Counts {
  return counts instanceof Float64Array
    ? growDoubles(counts, length, 0, scratch)
    : growInts(counts, length, 0, scratch);
}

/** Returns the same counts in doubles. */
export const wideCounts = (counts: Counts): Float64Array<ArrayBuffer> =>
  counts instanceof Float64Array ? counts : Float64Array.from(counts);
