import type { Value } from '@shoal/codec';
import type { Aggregator, BuildSite } from '../aggregation-type.js';
import { bucketTable } from '../collect/bucket-table.js';
import { numbersOfIds, ofIds } from '../collect/of-ids.js';
import { groupByOwner, type OwnedBuckets } from '../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, pairs, resetPairs } from '../collect/pairs.js';
import { docCounts } from '../source/doc-counts.js';
import type { FormatSpec } from '../source/format.js';
import type { NumberSource } from '../source/number-source.js';

/** What a shard returns of a histogram: keys ascending, counts and sub-aggregations beside them. */
export type HistogramPartial = {
  readonly k: Float64Array;
  readonly c: Float64Array;
  readonly s: readonly (readonly Value[])[] | null;
  readonly f: FormatSpec;
};

/** Turns values into the keys of their buckets, in place. */
export type RoundMany = (values: Float64Array, count: number) => void;

/** Limits of keys, inclusive; buckets outside are not made. */
export interface KeyBounds {
  readonly min: number;
  readonly max: number;
}

export const NO_BOUNDS: KeyBounds = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };

/** Collects numbers into buckets by a rounded key. */
export function roundedBuckets(
  site: BuildSite,
  source: NumberSource,
  format: FormatSpec,
  round: RoundMany,
  bounds: KeyBounds,
): Aggregator<HistogramPartial> {
  const subs = site.subs();
  const table = bucketTable(site.context.charge, site.context.scratch);
  const state: BucketCounts = { counts: new Int32Array(0) };
  const list = pairs(site.context.scratch);
  let weights: Int32Array | null = null;
  let owned: OwnedBuckets | null = null;
  let lastKey = Number.NaN;
  let lastOwner = -1;
  let lastId = -1;

  /** Neighbouring documents mostly fall into the same bucket. */
  const idOf = (owner: number, key: number): number => {
    if (key === lastKey && owner === lastOwner) return lastId;
    [lastKey, lastOwner] = [key, owner];
    return (lastId = table.add(owner, key === 0 ? 0 : key));
  };
  const collectSingle = (
    docs: Int32Array,
    buckets: Int32Array | null,
    count: number,
    scores: Float32Array | null,
  ): void => {
    const keys = source.read(docs, count);
    round(keys, count);
    resetPairs(list, count);
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      if (key >= bounds.min && key <= bounds.max)
        addPair(list, docs[i]!, idOf(buckets ? buckets[i]! : 0, key), scores ? scores[i]! : 0);
    }
  };
  const collectMany = (
    docs: Int32Array,
    buckets: Int32Array | null,
    count: number,
    scores: Float32Array | null,
  ): void => {
    const { starts, values } = source.readAll(docs, count);
    round(values, starts[count]!);
    resetPairs(list, starts[count]!);
    for (let i = 0; i < count; i++) {
      for (let j = starts[i]!; j < starts[i + 1]!; j++) {
        const key = values[j]!;
        if ((j > starts[i]! && key === values[j - 1]) || !(key >= bounds.min && key <= bounds.max)) continue;
        addPair(list, docs[i]!, idOf(buckets ? buckets[i]! : 0, key), scores ? scores[i]! : 0);
      }
    }
  };
  return {
    segment(view) {
      source.segment(view);
      subs.segment(view);
      weights = docCounts(view);
    },
    reserve() {},
    collect(docs, buckets, count, scores) {
      if (source.isEmpty) return;
      if (source.isSingle) collectSingle(docs, buckets, count, scores);
      else collectMany(docs, buckets, count, scores);
      flushPairs(list, state, table.size, subs, scores !== null, weights);
    },
    describe: () => ({ debug: { total_buckets: table.size } }),
    partial(bucket) {
      owned ??= groupByOwner(table.owners, table.size);
      const { keys } = table;
      const ids = owned
        .of(bucket)
        .slice()
        .sort((a, b) => keys[a]! - keys[b]!);
      return {
        k: numbersOfIds(ids, (id) => keys[id]!),
        c: numbersOfIds(ids, (id) => state.counts[id]!),
        s: subs.size > 0 ? ofIds(ids, (id) => subs.partials(id)) : null,
        f: format,
      };
    },
  };
}
