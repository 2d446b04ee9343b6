import type { Value } from '@shoal/codec';
import type { SegmentView } from '@shoal/query';
import type { Aggregator, BuildSite, SubAggregators } from '../aggregation-type.js';
import { type BucketTable, bucketTable } from '../collect/bucket-table.js';
import { mapIdsToNumbers, mapIds } from '../collect/map-ids.js';
import { groupByOwner, type OwnedBuckets } from '../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, type Pairs, pairs, resetPairs } from '../collect/pairs.js';
import { docCounts } from '../source/doc-counts.js';
import type { FormatSpec } from '../source/format.js';
import type { NumberSource } from '../source/number-source.js';

/** Partial result of a histogram: keys ascending, with parallel arrays of counts and sub-aggregations. */
export type HistogramPartial = {
  readonly k: Float64Array;
  readonly c: Float64Array;
  readonly s: readonly (readonly Value[])[] | null;
  readonly f: FormatSpec;
};

/** Replaces each value by the key of its bucket, in place. */
export type RoundMany = (values: Float64Array, count: number) => void;

/** Limits of keys, inclusive; buckets outside are not made. */
export interface KeyBounds {
  readonly min: number;
  readonly max: number;
}

/** Bounds that allow all keys. */
export const NO_BOUNDS: KeyBounds = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };

/** Collects numbers into buckets by a rounded key. */
export function roundedBuckets(
  site: BuildSite,
  source: NumberSource,
  format: FormatSpec,
  round: RoundMany,
  bounds: KeyBounds,
): Aggregator<HistogramPartial> {
  return new RoundedBuckets(site, source, format, round, bounds);
}

class RoundedBuckets implements Aggregator<HistogramPartial> {
  readonly #source: NumberSource;
  readonly #format: FormatSpec;
  readonly #round: RoundMany;
  readonly #bounds: KeyBounds;
  readonly #subs: SubAggregators;
  readonly #table: BucketTable;
  readonly #state: BucketCounts = { counts: new Int32Array(0) };
  readonly #pairs: Pairs;
  #weights: Int32Array | null = null;
  #owned: OwnedBuckets | null = null;
  #lastKey = Number.NaN;
  #lastOwner = -1;
  #lastId = -1;

  constructor(site: BuildSite, source: NumberSource, format: FormatSpec, round: RoundMany, bounds: KeyBounds) {
    this.#source = source;
    this.#format = format;
    this.#round = round;
    this.#bounds = bounds;
    this.#subs = site.subs();
    this.#table = bucketTable(site.context.charge, site.context.scratch);
    this.#pairs = pairs(site.context.scratch);
  }

  segment(view: SegmentView): void {
    this.#source.segment(view);
    this.#subs.segment(view);
    this.#weights = docCounts(view);
  }

  reserve(): void {}

  collect(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    if (this.#source.isEmpty) return;
    if (this.#source.isSingle) this.#collectSingle(docs, buckets, count, scores);
    else this.#collectMany(docs, buckets, count, scores);
    flushPairs(this.#pairs, this.#state, this.#table.size, this.#subs, scores !== null, this.#weights);
  }

  #collectSingle(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const list = this.#pairs;
    const bounds = this.#bounds;
    const keys = this.#source.read(docs, count);
    this.#round(keys, count);
    resetPairs(list, count);
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      if (key >= bounds.min && key <= bounds.max)
        addPair(list, docs[i]!, this.#idOf(buckets ? buckets[i]! : 0, key), scores ? scores[i]! : 0);
    }
  }

  #collectMany(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const list = this.#pairs;
    const bounds = this.#bounds;
    const { starts, values } = this.#source.readAll(docs, count);
    this.#round(values, starts[count]!);
    resetPairs(list, starts[count]!);
    for (let i = 0; i < count; i++) {
      for (let j = starts[i]!; j < starts[i + 1]!; j++) {
        const key = values[j]!;
        if ((j > starts[i]! && key === values[j - 1]) || !(key >= bounds.min && key <= bounds.max)) continue;
        addPair(list, docs[i]!, this.#idOf(buckets ? buckets[i]! : 0, key), scores ? scores[i]! : 0);
      }
    }
  }

  /** Returns the number of the bucket with a key. Remembers the last one, as neighbouring documents mostly share it. */
  #idOf(owner: number, key: number): number {
    if (key === this.#lastKey && owner === this.#lastOwner) return this.#lastId;
    this.#lastKey = key;
    this.#lastOwner = owner;
    return (this.#lastId = this.#table.add(owner, key === 0 ? 0 : key));
  }

  describe(): { debug: { total_buckets: number } } {
    return { debug: { total_buckets: this.#table.size } };
  }

  partial(bucket: number): HistogramPartial {
    this.#owned ??= groupByOwner(this.#table.owners, this.#table.size);
    const { keys } = this.#table;
    const subs = this.#subs;
    const ids = this.#owned
      .of(bucket)
      .slice()
      .sort((a, b) => keys[a]! - keys[b]!);
    return {
      k: mapIdsToNumbers(ids, (id) => keys[id]!),
      c: mapIdsToNumbers(ids, (id) => this.#state.counts[id]!),
      s: subs.size > 0 ? mapIds(ids, (id) => subs.partials(id)) : null,
      f: this.#format,
    };
  }
}
