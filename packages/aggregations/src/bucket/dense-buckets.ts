import type { Scratch, SegmentView } from '@shoal/query';
import { type Counts, growCounts } from '../collect/counts.js';
import type { Aggregator, BuildSite } from '../aggregation-type.js';
import { roomForInts } from '../collect/growable.js';
import { type BucketCounts, countWeighted, flushPairs, type Pairs, pairs, resetPairs } from '../collect/pairs.js';
import { docCounts } from '../source/doc-counts.js';
import type { FormatSpec } from '../source/format.js';
import type { NumberSource } from '../source/number-source.js';
import { countIndexes, keepIndexes, keepScores } from './histogram.kernel.js';
import type { HistogramPartial } from './histogram-collect.js';

/**
 * All buckets that a histogram can have on a shard, numbered from 0. They are known before collecting from the bounds
 * of the column.
 */
export interface BucketPlan {
  readonly size: number;
  key(index: number): number;
  /** Writes the index of the bucket of each value to `out`; -1 for no bucket. */
  assign(values: Float64Array, count: number, out: Int32Array): void;
}

/** Limit for counters of planned buckets over all buckets of the parent. */
export const PLANNED_COUNTERS_MAX = 1 << 20;

/** Counters of planned buckets. Bucket number = bucket of the parent · plan size + index in the plan. */
export interface PlannedCounts {
  readonly counts: BucketCounts;
  readonly subs: ReturnType<BuildSite['subs']>;
  /** The number of buckets with a document. */
  used(): number;
  readonly collecting: Pick<Aggregator, 'segment' | 'reserve' | 'collect'>;
}

/** Counts single-valued numbers in planned buckets and passes their documents to the sub-aggregations. */
class PlannedCollector {
  readonly subs: ReturnType<BuildSite['subs']>;
  readonly state: BucketCounts;
  readonly #source: NumberSource;
  readonly #plan: BucketPlan;
  readonly #list: Pairs;
  readonly #scratch: Scratch | undefined;
  readonly #ends = new Float64Array(2);
  readonly #endIndexes = new Int32Array(2);
  #indexes: Int32Array<ArrayBuffer> = new Int32Array(0);
  #weights: Int32Array | null = null;
  #reserved = 1;

  constructor(site: BuildSite, source: NumberSource, plan: BucketPlan) {
    this.subs = site.subs();
    this.#scratch = site.context.scratch;
    this.#list = pairs(this.#scratch);
    this.state = { counts: new Int32Array(plan.size) };
    this.#source = source;
    this.#plan = plan;
    site.context.charge(plan.size * 4);
  }

  segment(view: SegmentView): void {
    this.#source.segment(view);
    this.subs.segment(view);
    this.#weights = docCounts(view);
  }

  reserve(buckets: number): void {
    this.#reserved = Math.max(this.#reserved, buckets);
  }

  collect(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    if (this.#source.isEmpty) return;
    const index = this.#commonIndex(docs, count);
    if (index >= 0) this.#collectOne(docs, buckets, count, scores, index);
    else this.#collectMany(docs, buckets, count, scores);
  }

  /** The bucket index that all documents share by the value bounds of their block; -1 if there may be several. */
  #commonIndex(docs: Int32Array, count: number): number {
    const bounds = this.#source.bounds(docs, count);
    if (bounds === null) return -1;
    this.#ends[0] = bounds.min;
    this.#ends[1] = bounds.max;
    this.#plan.assign(this.#ends, 2, this.#endIndexes);
    return this.#endIndexes[0] === this.#endIndexes[1] ? this.#endIndexes[0]! : -1;
  }

  #collectOne(
    docs: Int32Array,
    buckets: Int32Array | null,
    count: number,
    scores: Float32Array | null,
    index: number,
  ): void {
    const { size } = this.#plan;
    this.state.counts = growCounts(this.state.counts, this.#reserved * size);
    if (!buckets && !this.#weights && this.subs.size === 0) {
      this.state.counts[index]! += count;
      return;
    }
    this.#indexes = roomForInts(this.#indexes, count, this.#scratch);
    if (!buckets) this.#indexes.fill(index, 0, count);
    else for (let i = 0; i < count; i++) this.#indexes[i] = buckets[i]! * size + index;
    countWeighted(this.#indexes, docs, count, this.#weights, this.state);
    this.subs.collect(docs, this.#indexes, count, scores, this.#reserved * size);
  }

  #collectMany(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const { size } = this.#plan;
    const list = this.#list;
    this.#indexes = roomForInts(this.#indexes, count, this.#scratch);
    this.#plan.assign(this.#source.peek(docs, count), count, this.#indexes);
    if (!this.#weights && this.subs.size === 0) {
      this.state.counts = growCounts(this.state.counts, this.#reserved * size);
      return countIndexes(this.#indexes, buckets, size, count, this.state.counts);
    }
    resetPairs(list, count);
    list.count = keepIndexes(docs, buckets, this.#indexes, count, size, list.docs, list.ids);
    if (scores) keepScores(this.#indexes, scores, count, list.scores);
    flushPairs(list, this.state, this.#reserved * size, this.subs, scores !== null, this.#weights);
  }
}

function usedCount(counts: Counts): number {
  let used = 0;
  for (let i = 0; i < counts.length; i++) used += counts[i]! > 0 ? 1 : 0;
  return used;
}

/** Makes the counters and the collector of planned buckets of one aggregation on a shard. */
export function countPlanned(site: BuildSite, source: NumberSource, plan: BucketPlan): PlannedCounts {
  const collector = new PlannedCollector(site, source, plan);
  return {
    counts: collector.state,
    subs: collector.subs,
    used: () => usedCount(collector.state.counts),
    collecting: {
      segment: (view) => collector.segment(view),
      reserve: (buckets) => collector.reserve(buckets),
      collect: (docs, buckets, count, scores) => collector.collect(docs, buckets, count, scores),
    },
  };
}

/** Collects single-valued numbers into planned buckets of a histogram. */
export function plannedBuckets(
  site: BuildSite,
  source: NumberSource,
  format: FormatSpec,
  plan: BucketPlan,
): Aggregator<HistogramPartial> {
  const { counts: state, subs, used: usedBuckets, collecting } = countPlanned(site, source, plan);
  return {
    segment: collecting.segment,
    reserve: collecting.reserve,
    collect: collecting.collect,
    describe: () => ({ debug: { total_buckets: usedBuckets() } }),
    partial(bucket) {
      const at = bucket * plan.size;
      const { counts } = state;
      const used: number[] = [];
      for (let index = 0; index < plan.size && at + index < counts.length; index++)
        if (counts[at + index]! > 0) used.push(index);
      const keys = new Float64Array(used.length);
      const own = new Float64Array(used.length);
      for (let i = 0; i < used.length; i++) {
        keys[i] = plan.key(used[i]!);
        own[i] = counts[at + used[i]!]!;
      }
      return {
        k: keys,
        c: own,
        s: subs.size > 0 ? used.map((index) => subs.partials(at + index)) : null,
        f: format,
      };
    },
  };
}
