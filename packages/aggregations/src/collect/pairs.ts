import type { SubAggregators } from '../aggregation-type.js';
import type { Scratch } from '@shoal/query';
import { countBuckets } from './buckets.kernel.js';
import { type Counts, growCounts, wideCounts } from './counts.js';

/**
 * A growing list of pairs (document, bucket) with their scores. A bucket aggregation passes it to its sub-aggregations.
 */
export interface Pairs {
  docs: Int32Array<ArrayBuffer>;
  ids: Int32Array<ArrayBuffer>;
  scores: Float32Array<ArrayBuffer>;
  count: number;
  readonly scratch: Scratch | undefined;
}

const NO_INTS = new Int32Array(0);
const NO_FLOATS = new Float32Array(0);

/** Makes an empty list; its arrays are borrowed from `scratch` if given. */
export function pairs(scratch: Scratch | undefined): Pairs {
  return { docs: NO_INTS, ids: NO_INTS, scores: NO_FLOATS, count: 0, scratch };
}

/** Empties the list and makes room for `capacity` pairs. */
export function resetPairs(list: Pairs, capacity: number): void {
  list.count = 0;
  if (list.docs.length >= capacity) return;
  const length = Math.max(capacity, 64, list.docs.length * 2);
  const { scratch } = list;
  if (scratch !== undefined) {
    list.docs = scratch.ints(length);
    list.ids = scratch.ints(length);
    list.scores = scratch.floats(length);
    return;
  }
  list.docs = new Int32Array(length);
  list.ids = new Int32Array(length);
  list.scores = new Float32Array(length);
}

/** Appends a pair. `resetPairs` or `growPairs` must have made room. */
export function addPair(list: Pairs, doc: number, id: number, score: number): void {
  const at = list.count++;
  list.docs[at] = doc;
  list.ids[at] = id;
  list.scores[at] = score;
}

/** Makes room for more pairs and keeps the pairs of the list. */
export function growPairs(list: Pairs): void {
  const { docs, ids, scores, count } = list;
  resetPairs(list, docs.length * 2 + 16);
  list.docs.set(docs);
  list.ids.set(ids);
  list.scores.set(scores);
  list.count = count;
}

/** Number of documents in each bucket. */
export interface BucketCounts {
  counts: Counts;
}

/** Counts documents by bucket. A document counts `weights[doc]` times (null: once). */
export function countWeighted(
  ids: Int32Array,
  docs: Int32Array,
  count: number,
  weights: Int32Array | null,
  buckets: BucketCounts,
): void {
  if (weights === null) return countBuckets(ids, count, buckets.counts);
  const counts = wideCounts(buckets.counts);
  buckets.counts = counts;
  for (let i = 0; i < count; i++) counts[ids[i]!]! += weights[docs[i]!] ?? 1;
}

/**
 * Counts pairs by bucket and passes them to the sub-aggregations. `docs` may be another array with the documents of the
 * list: values that others read for that array are not read again.
 */
export function flushPairs(
  list: Pairs,
  buckets: BucketCounts,
  bucketCount: number,
  subs: SubAggregators,
  hasScores: boolean,
  weights: Int32Array | null = null,
  docs: Int32Array = list.docs,
): void {
  buckets.counts = growCounts(buckets.counts, bucketCount, list.scratch);
  const { ids, count } = list;
  countWeighted(ids, docs, count, weights, buckets);
  if (subs.size > 0) subs.collect(docs, ids, count, hasScores ? list.scores : null, bucketCount);
}
