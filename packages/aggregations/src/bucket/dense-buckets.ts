import type { Value } from '@shoal/codec';
import type { Aggregator, BuildSite } from '../aggregation-type.js';
import { growInts } from '../collect/growable.js';
import { type BucketCounts, flushPairs, pairs, resetPairs } from '../collect/pairs.js';
import { docCounts } from '../source/doc-counts.js';
import type { FormatSpec } from '../source/format.js';
import type { NumberSource } from '../source/number-source.js';
import { countIndexes, keepIndexes, keepScores } from './histogram.kernel.js';
import type { HistogramPartial } from './histogram-collect.js';

/** All buckets that a histogram can have on a shard, numbered from 0: known from the bounds of its column. */
export interface BucketPlan {
  readonly size: number;
  key(index: number): number;
  /** Index of each value's bucket, -1 for none. */
  assign(values: Float64Array, count: number, out: Int32Array): void;
}

/** Counters that planned buckets may take over all buckets of the parent. */
export const PLANNED_COUNTERS_MAX = 1 << 20;

/** Counters of planned buckets: bucket number = bucket of the parent · size + index. */
export interface PlannedCounts {
  readonly counts: BucketCounts;
  readonly subs: ReturnType<BuildSite['subs']>;
  /** Buckets that have a document. */
  used(): number;
  readonly collecting: Pick<Aggregator, 'segment' | 'reserve' | 'collect'>;
}

/** Counts single-valued numbers in planned buckets, and hands their documents to the sub-aggregations. */
export function countPlanned(site: BuildSite, source: NumberSource, plan: BucketPlan): PlannedCounts {
  const subs = site.subs();
  const state: BucketCounts = { counts: new Int32Array(plan.size) };
  const list = pairs();
  let indexes: Int32Array<ArrayBuffer> = new Int32Array(0);
  let weights: Int32Array | null = null;
  let reserved = 1;
  site.context.charge(plan.size * 4);
  return {
    counts: state,
    subs,
    used: () => state.counts.reduce((used, count) => used + (count > 0 ? 1 : 0), 0),
    collecting: {
      segment(view) {
        source.segment(view);
        subs.segment(view);
        weights = docCounts(view);
      },
      reserve(buckets) {
        reserved = Math.max(reserved, buckets);
      },
      collect(docs, buckets, count, scores) {
        if (source.isEmpty) return;
        indexes = growInts(indexes, count);
        plan.assign(source.read(docs, count), count, indexes);
        if (!buckets && subs.size === 0 && !weights) return countIndexes(indexes, count, state.counts);
        resetPairs(list, count);
        list.count = keepIndexes(docs, buckets, indexes, count, plan.size, list.docs, list.ids);
        if (scores) keepScores(indexes, scores, count, list.scores);
        flushPairs(list, state, reserved * plan.size, subs, scores !== null, weights);
      },
    },
  };
}

/** Collects single-valued numbers into planned buckets of a histogram. */
export function plannedBuckets(site: BuildSite, source: NumberSource, format: FormatSpec, plan: BucketPlan): Aggregator {
  const { counts: state, subs, used: usedBuckets, collecting } = countPlanned(site, source, plan);
  return {
    ...collecting,
    describe: () => ({ debug: { total_buckets: usedBuckets() } }),
    partial(bucket) {
      const at = bucket * plan.size;
      const { counts } = state;
      const used: number[] = [];
      for (let index = 0; index < plan.size && at + index < counts.length; index++) if (counts[at + index]! > 0) used.push(index);
      const partial: HistogramPartial = {
        k: Float64Array.from(used, (index) => plan.key(index)),
        c: Float64Array.from(used, (index) => counts[at + index]!),
        s: subs.size > 0 ? used.map((index) => subs.partials(at + index)) : null,
        f: format,
      };
      return partial as unknown as Value;
    },
  };
}
