import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { Aggregator, BuildSite, ReduceSite, SubAggregators } from '../aggregation-type.js';
import { growInts } from '../collect/growable.js';
import { addPair, type BucketCounts, flushPairs, pairs, resetPairs } from '../collect/pairs.js';
import { areDisjoint, countDisjoint, countRanges, keepDisjoint, keepRanges } from './ranges.kernel.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { docCounts } from '../source/doc-counts.js';
import { type Formatter, formatIn, type FormatSpec } from '../source/format.js';
import type { MultiNumbers } from '@shoal/segments';
import { doubleNumber, type SegmentView } from '@shoal/query';
import { present } from '../reduce/present.js';

/** A range of numbers: `from` inclusive, `to` exclusive; infinite where open. */
export type NumberRange = {
  readonly key: string | null;
  readonly from: number;
  readonly to: number;
};

/** Ranges in order of the answer: by `from`, then `to`. */
export function sortRanges(ranges: readonly NumberRange[]): NumberRange[] {
  return [...ranges].sort((a, b) => (a.from === b.from ? (a.to === b.to ? 0 : a.to - b.to) : a.from - b.from));
}

/** Throws as Elasticsearch does when a request names no range. */
export function checkRanges(ranges: readonly unknown[], name: string): void {
  if (ranges.length === 0) throw errors.illegalArgument(`No [ranges] specified for the [${name}] aggregation`);
}

/** Values of documents: what ranges read. */
export interface ValueReader {
  segment(view: SegmentView): void;
  readonly isSingle: boolean;
  /** First value of each document, NaN for none; not to be written to. */
  peek(docs: Int32Array, count: number): Float64Array;
  readAll(docs: Int32Array, count: number): MultiNumbers;
}

/** What a shard returns of ranges of numbers. */
export type RangesPartial = {
  readonly c: readonly number[];
  readonly s: readonly (readonly Value[])[];
  readonly f: FormatSpec;
  /** Bounds as the shard resolved them (date math, formats). */
  readonly r: readonly NumberRange[];
};

/** Bucket numbers: bucket of the parent · ranges + range. */
export function rangeBuckets(
  build: BuildSite,
  source: ValueReader,
  ranges: readonly NumberRange[],
  format: FormatSpec,
  subs: SubAggregators = build.subs(),
): Aggregator<RangesPartial> {
  const width = ranges.length;
  const froms = Float64Array.from(ranges, (range) => range.from);
  const tos = Float64Array.from(ranges, (range) => range.to);
  const isDisjoint = areDisjoint(froms, tos);
  const keep = isDisjoint ? keepDisjoint : keepRanges;
  const countInto = isDisjoint ? countDisjoint : countRanges;
  const state: BucketCounts = { counts: new Int32Array(0) };
  const list = pairs(build.context.scratch);
  let reserved = 1;
  let weights: Int32Array | null = null;
  const single = (docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void => {
    const values = source.peek(docs, count);
    resetPairs(list, count * width);
    if (scores === null) {
      list.count = keep(docs, values, buckets, count, froms, tos, list.docs, list.ids);
      return;
    }
    for (let i = 0; i < count; i++) {
      const value = values[i]!;
      for (let r = 0; r < width; r++)
        if (value >= froms[r]! && value < tos[r]!)
          addPair(list, docs[i]!, (buckets ? buckets[i]! : 0) * width + r, scores[i]!);
    }
  };
  const holds = (values: Float64Array, from: number, to: number, r: number): boolean => {
    for (let j = from; j < to; j++) if (values[j]! >= froms[r]! && values[j]! < tos[r]!) return true;
    return false;
  };
  const many = (docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void => {
    const { starts, values } = source.readAll(docs, count);
    resetPairs(list, count * width);
    for (let i = 0; i < count; i++) {
      for (let r = 0; r < width; r++)
        if (holds(values, starts[i]!, starts[i + 1]!, r))
          addPair(list, docs[i]!, (buckets ? buckets[i]! : 0) * width + r, scores ? scores[i]! : 0);
    }
  };
  return {
    segment(view) {
      source.segment(view);
      subs.segment(view);
      weights = docCounts(view);
    },
    reserve(buckets) {
      reserved = Math.max(reserved, buckets);
    },
    collect(docs, buckets, count, scores) {
      if (source.isSingle && subs.size === 0 && !weights) {
        state.counts = growInts(state.counts, reserved * width);
        return countInto(source.peek(docs, count), buckets, count, froms, tos, state.counts);
      }
      if (source.isSingle) single(docs, buckets, count, scores);
      else many(docs, buckets, count, scores);
      // Each document in one range: those below are given the documents that others have read for already.
      const isAll = isDisjoint && source.isSingle && list.count === count;
      if (list.count > 0)
        flushPairs(list, state, reserved * width, subs, scores !== null, weights, isAll ? docs : list.docs);
    },
    partial(bucket) {
      state.counts = growInts(state.counts, (bucket + 1) * width);
      const counts = ranges.map((_, i) => state.counts[bucket * width + i]!);
      return {
        c: counts,
        s: counts.map((_, i) => subs.partials(bucket * width + i)),
        f: format,
        r: ranges,
      };
    },
  };
}

function rangeKey(range: NumberRange, text: (value: number) => string): string {
  if (range.key !== null) return range.key;
  return `${Number.isFinite(range.from) ? text(range.from) : '*'}-${Number.isFinite(range.to) ? text(range.to) : '*'}`;
}

function bound(name: 'from' | 'to', value: number, formatter: Formatter): Record<string, unknown> {
  if (!Number.isFinite(value)) return {};
  const text = formatter.shown(value);
  const shown = doubleNumber(value);
  return text === null ? { [name]: shown } : { [name]: shown, [`${name}_as_string`]: text };
}

/** How the answer of a range aggregation looks. */
export interface RangesShape {
  readonly typedName: string;
  readonly keyed: boolean;
  /** Ranges for when no shard knows the field. */
  readonly fallback: readonly NumberRange[];
}

/** Merges ranges of shards; the order is that of the ranges. */
export function reduceRanges(
  shape: RangesShape,
  partials: readonly (RangesPartial | null)[],
  site: ReduceSite,
): Reduced {
  const own = present(partials);
  const ranges = own[0]?.r ?? shape.fallback;
  const formatter = formatIn(partials);
  site.addBuckets(ranges.length);
  const buckets = ranges.map((range, i): ReducedBucket => {
    const key = rangeKey(range, (value) => formatter.text(value));
    const bucket: ReducedBucket = {
      key,
      keyText: key,
      docCount: own.reduce((sum, p) => sum + p.c[i]!, 0),
      subs: site.subs(own.map((p) => p.s[i]!)),
      head: () => ({
        ...(shape.keyed ? {} : { key }),
        ...bound('from', range.from, formatter),
        ...bound('to', range.to, formatter),
        doc_count: bucket.docCount,
      }),
    };
    return bucket;
  });
  return {
    typedName: shape.typedName,
    buckets,
    render(render) {
      return { buckets: shape.keyed ? render.keyed(this.buckets!) : render.list(this.buckets!) };
    },
  };
}
