import type { Aggregator, BuildSite } from '../aggregation-type.js';
import { bucketTable } from '../collect/bucket-table.js';
import { mapIdsToNumbers, mapIds } from '../collect/map-ids.js';
import { groupByOwner, type OwnedBuckets } from '../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, growPairs, pairs, resetPairs } from '../collect/pairs.js';
import { tooManyBuckets } from '../reduce/reduce.js';
import { docCounts } from '../source/doc-counts.js';
import type { FormatSpec } from '../source/format.js';
import type { RangeSource } from '../source/range-source.js';
import type { HistogramPartial, KeyBounds } from './histogram-collect.js';

/** Limit for buckets that one range of a document may overlap. */
const BUCKETS_OF_RANGE_MAX = 65_536;

/** How a histogram steps over the buckets that a range overlaps. */
export interface RangeSteps {
  floor(value: number): number;
  next(key: number): number;
}

/**
 * Collects a histogram over a field of ranges. A document counts once in each bucket that one of its ranges overlaps.
 */
export function rangeHistogram(
  site: BuildSite,
  source: RangeSource,
  format: FormatSpec,
  steps: RangeSteps,
  bounds: KeyBounds,
): Aggregator<HistogramPartial> {
  const subs = site.subs();
  const table = bucketTable(site.context.charge, site.context.scratch);
  const state: BucketCounts = { counts: new Int32Array(0) };
  const list = pairs(site.context.scratch);
  let weights: Int32Array | null = null;
  let owned: OwnedBuckets | null = null;
  const keysOf = (low: number, high: number): number[] => {
    const keys: number[] = [];
    const last = Math.min(high, bounds.max);
    for (let key = steps.floor(Math.max(low, bounds.min)); key <= last; key = steps.next(key)) {
      if (keys.push(key) > BUCKETS_OF_RANGE_MAX) throw tooManyBuckets(BUCKETS_OF_RANGE_MAX, null);
    }
    return keys;
  };
  return {
    segment(view) {
      source.segment(view);
      subs.segment(view);
      weights = docCounts(view);
    },
    reserve() {},
    collect(docs, buckets, count, scores) {
      resetPairs(list, count);
      const seen = new Set<number>();
      let last = -1;
      source.each(docs, count, (i, low, high) => {
        if (i !== last) seen.clear();
        last = i;
        for (const key of keysOf(low, high)) {
          if (seen.has(key)) continue;
          seen.add(key);
          if (list.count === list.docs.length) growPairs(list);
          addPair(list, docs[i]!, table.add(buckets ? buckets[i]! : 0, key), scores ? scores[i]! : 0);
        }
      });
      flushPairs(list, state, table.size, subs, scores !== null, weights);
    },
    partial(bucket) {
      owned ??= groupByOwner(table.owners, table.size);
      const { keys } = table;
      const ids = owned
        .of(bucket)
        .slice()
        .sort((a, b) => keys[a]! - keys[b]!);
      return {
        k: mapIdsToNumbers(ids, (id) => keys[id]!),
        c: mapIdsToNumbers(ids, (id) => state.counts[id]!),
        s: subs.size > 0 ? mapIds(ids, (id) => subs.partials(id)) : null,
        f: format,
      };
    },
  };
}
