import type { Value } from '@shoal/codec';
import type { Aggregator, BuildSite, ReduceSite, SubAggregators } from '../aggregation-type.js';
import { type BucketCounts, countWeighted, type Pairs } from '../collect/pairs.js';
import { growCounts } from '../collect/counts.js';
import type { Reduced } from '../reduce/reduced.js';
import { present } from '../reduce/present.js';

/** Partial result of an aggregation with one bucket. */
export type SinglePartial = {
  readonly c: number;
  readonly s: readonly Value[];
};

/** Makes the partial result of one bucket. */
export function singlePartial(counts: ArrayLike<number>, bucket: number, subs: SubAggregators): SinglePartial {
  return { c: bucket < counts.length ? counts[bucket]! : 0, s: subs.partials(bucket) };
}

/** Merges the partial results of an aggregation with one bucket. */
export function reduceSingle(
  typedName: string,
  partials: readonly (SinglePartial | null)[],
  site: ReduceSite,
): Reduced {
  const own = present(partials);
  const docCount = own.reduce((sum, p) => sum + p.c, 0);
  const subs = site.subs(own.map((p) => p.s));
  return {
    typedName,
    buckets: null,
    subs,
    docCount,
    value: (property) => (property === null ? docCount : undefined),
    render: (render) => ({ doc_count: docCount, ...render.subs(subs) }),
  };
}

/**
 * Counts pairs and passes them to the sub-aggregations. The bucket of a single-bucket aggregation has the number of its
 * parent bucket.
 */
export function keepPairs(
  list: Pairs,
  state: BucketCounts,
  subs: SubAggregators,
  hasScores: boolean,
  bucketCount: number,
  weights: Int32Array | null,
): void {
  state.counts = growCounts(state.counts, bucketCount);
  countWeighted(list.ids, list.docs, list.count, weights, state);
  subs.collect(list.docs, list.ids, list.count, hasScores ? list.scores : null, bucketCount);
}

/** Writes those pairs to the list, out of a window of the parent, that belong to the bucket. */
export type SelectPairs = (
  docs: Int32Array,
  buckets: Int32Array | null,
  count: number,
  scores: Float32Array | null,
  into: Pairs,
) => void;

/** Makes an aggregator whose one bucket holds the pairs that `select` chooses. */
export function singleBucket(
  site: BuildSite,
  parts: { segment(view: import('@shoal/query').SegmentView): void; select: SelectPairs },
  list: Pairs,
  weightsOf: (view: import('@shoal/query').SegmentView) => Int32Array | null,
  subs: SubAggregators = site.subs(),
): Aggregator<SinglePartial> {
  const state: BucketCounts = { counts: new Int32Array(0) };
  let reserved = 1;
  let weights: Int32Array | null = null;
  return {
    segment(view) {
      parts.segment(view);
      subs.segment(view);
      weights = weightsOf(view);
    },
    reserve(buckets) {
      reserved = Math.max(reserved, buckets);
    },
    collect(docs, buckets, count, scores) {
      parts.select(docs, buckets, count, scores, list);
      if (list.count > 0) keepPairs(list, state, subs, scores !== null, reserved, weights);
    },
    partial: (bucket) => singlePartial(state.counts, bucket, subs),
  };
}
