import type { Value } from '@shoal/codec';
import { growCounts } from '../collect/counts.js';
import { errors } from '@shoal/errors';
import type { Aggregator, BuildSite, ReduceSite, SubAggregators } from '../aggregation-type.js';
import { addPair, type BucketCounts, flushPairs, type Pairs, pairs, resetPairs } from '../collect/pairs.js';
import { areDisjoint, countDisjoint, countRanges, keepDisjoint, keepRanges } from './ranges.kernel.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { docCounts } from '../source/doc-counts.js';
import { type Formatter, formatIn, type FormatSpec } from '../source/format.js';
import type { MultiNumbers } from '@shoal/segments';
import { doubleNumber } from '@shoal/json';
import type { SegmentView } from '@shoal/query';
import { present } from '../reduce/present.js';

/** A range of numbers: `from` inclusive, `to` exclusive; ±Infinity for an open end. */
export type NumberRange = {
  readonly key: string | null;
  readonly from: number;
  readonly to: number;
};

/** Ranges of one aggregation at most: their bounds, which may be dates with mathematics, are read in one piece. */
export const RANGES_MAX = 10_000;

/** Sorts ranges in the order of the answer: by `from`, then `to`. */
export function sortRanges(ranges: readonly NumberRange[]): NumberRange[] {
  return [...ranges].sort((a, b) => (a.from === b.from ? (a.to === b.to ? 0 : a.to - b.to) : a.from - b.from));
}

/** Throws illegal_argument_exception if a request gives no range. */
export function checkRanges(ranges: readonly unknown[], name: string): void {
  if (ranges.length === 0) throw errors.illegalArgument(`No [ranges] specified for the [${name}] aggregation`);
}

/** Reads the values that are assigned to ranges. */
export interface ValueReader {
  segment(view: SegmentView): void;
  readonly isSingle: boolean;
  /** First value of each document, NaN for none. Callers must not write to the array. */
  peek(docs: Int32Array, count: number): Float64Array;
  readAll(docs: Int32Array, count: number): MultiNumbers;
}

/** Partial result of a range aggregation. */
export type RangesPartial = {
  readonly c: readonly number[];
  readonly s: readonly (readonly Value[])[];
  readonly f: FormatSpec;
  /** Bounds as the shard resolved them (date math, formats). */
  readonly r: readonly NumberRange[];
};

/** Collects numbers into ranges. Bucket numbers: bucket of the parent · ranges + range. */
export function rangeBuckets(
  build: BuildSite,
  source: ValueReader,
  ranges: readonly NumberRange[],
  format: FormatSpec,
  subs: SubAggregators = build.subs(),
): Aggregator<RangesPartial> {
  return new RangeBuckets(build, source, ranges, format, subs);
}

class RangeBuckets implements Aggregator<RangesPartial> {
  readonly #source: ValueReader;
  readonly #ranges: readonly NumberRange[];
  readonly #format: FormatSpec;
  readonly #subs: SubAggregators;
  readonly #froms: Float64Array;
  readonly #tos: Float64Array;
  readonly #isDisjoint: boolean;
  readonly #state: BucketCounts = { counts: new Int32Array(0) };
  readonly #pairs: Pairs;
  #reserved = 1;
  #weights: Int32Array | null = null;

  constructor(
    build: BuildSite,
    source: ValueReader,
    ranges: readonly NumberRange[],
    format: FormatSpec,
    subs: SubAggregators,
  ) {
    this.#source = source;
    this.#ranges = ranges;
    this.#format = format;
    this.#subs = subs;
    this.#froms = Float64Array.from(ranges, (range) => range.from);
    this.#tos = Float64Array.from(ranges, (range) => range.to);
    this.#isDisjoint = areDisjoint(this.#froms, this.#tos);
    this.#pairs = pairs(build.context.scratch);
  }

  segment(view: SegmentView): void {
    this.#source.segment(view);
    this.#subs.segment(view);
    this.#weights = docCounts(view);
  }

  reserve(buckets: number): void {
    this.#reserved = Math.max(this.#reserved, buckets);
  }

  collect(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const { isSingle } = this.#source;
    if (isSingle && this.#subs.size === 0 && !this.#weights) return this.#count(docs, buckets, count);
    if (!isSingle) this.#collectMany(docs, buckets, count, scores);
    else if (scores === null) this.#collectAll(docs, buckets, count);
    else this.#collectSingle(docs, buckets, count, scores);
    const list = this.#pairs;
    if (list.count === 0) return;
    // If each document is in one range, sub-aggregations get the array `docs` itself, for which other aggregations may
    // have read values already.
    const isAll = this.#isDisjoint && isSingle && list.count === count;
    const size = this.#reserved * this.#ranges.length;
    flushPairs(list, this.#state, size, this.#subs, scores !== null, this.#weights, isAll ? docs : list.docs);
  }

  /** Only counts: for documents with one value and without sub-aggregations. */
  #count(docs: Int32Array, buckets: Int32Array | null, count: number): void {
    const state = this.#state;
    state.counts = growCounts(state.counts, this.#reserved * this.#ranges.length);
    const countInto = this.#isDisjoint ? countDisjoint : countRanges;
    countInto(this.#source.peek(docs, count), buckets, count, this.#froms, this.#tos, state.counts);
  }

  /** Collects a whole window at once: documents with one value, without scores. */
  #collectAll(docs: Int32Array, buckets: Int32Array | null, count: number): void {
    const list = this.#pairs;
    const values = this.#source.peek(docs, count);
    resetPairs(list, count * this.#ranges.length);
    const keep = this.#isDisjoint ? keepDisjoint : keepRanges;
    list.count = keep(docs, values, buckets, count, this.#froms, this.#tos, list.docs, list.ids);
  }

  #collectSingle(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array): void {
    const [froms, tos, width] = [this.#froms, this.#tos, this.#ranges.length];
    const values = this.#source.peek(docs, count);
    resetPairs(this.#pairs, count * width);
    for (let i = 0; i < count; i++) {
      const value = values[i]!;
      for (let r = 0; r < width; r++)
        if (value >= froms[r]! && value < tos[r]!)
          addPair(this.#pairs, docs[i]!, (buckets ? buckets[i]! : 0) * width + r, scores[i]!);
    }
  }

  #collectMany(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const width = this.#ranges.length;
    const { starts, values } = this.#source.readAll(docs, count);
    resetPairs(this.#pairs, count * width);
    for (let i = 0; i < count; i++) {
      for (let r = 0; r < width; r++)
        if (hasBetween(values, starts[i]!, starts[i + 1]!, this.#froms[r]!, this.#tos[r]!))
          addPair(this.#pairs, docs[i]!, (buckets ? buckets[i]! : 0) * width + r, scores ? scores[i]! : 0);
    }
  }

  partial(bucket: number): RangesPartial {
    const width = this.#ranges.length;
    this.#state.counts = growCounts(this.#state.counts, (bucket + 1) * width);
    const counts = this.#ranges.map((_, i) => this.#state.counts[bucket * width + i]!);
    return {
      c: counts,
      s: counts.map((_, i) => this.#subs.partials(bucket * width + i)),
      f: this.#format,
      r: this.#ranges,
    };
  }
}

/** The partial result of a bucket without documents. */
export const emptiedRanges = (partial: RangesPartial): RangesPartial => ({
  ...partial,
  c: partial.r.map(() => 0),
  s: partial.r.map(() => []),
});

/** Whether some value at an index in [start, end) is in [low, high). */
function hasBetween(values: Float64Array, start: number, end: number, low: number, high: number): boolean {
  for (let j = start; j < end; j++) if (values[j]! >= low && values[j]! < high) return true;
  return false;
}

function rangeKey(range: NumberRange, text: (value: number) => string): string {
  if (range.key !== null) return range.key;
  return `${Number.isFinite(range.from) ? text(range.from) : '*'}-${Number.isFinite(range.to) ? text(range.to) : '*'}`;
}

/**
 * Members of a bucket before its sub-aggregations, with a key unless that is null. They are set one by one: V8 calls
 * its runtime for each computed name of a literal.
 */
function headOf(key: string | null, range: NumberRange, formatter: Formatter, docCount: number): Head {
  const head: Head = {};
  if (key !== null) head.key = key;
  if (Number.isFinite(range.from)) {
    head.from = doubleNumber(range.from);
    const text = shownText(range.from, formatter);
    if (text !== null) head.from_as_string = text;
  }
  if (Number.isFinite(range.to)) {
    head.to = doubleNumber(range.to);
    const text = shownText(range.to, formatter);
    if (text !== null) head.to_as_string = text;
  }
  head.doc_count = docCount;
  return head;
}

interface Head extends Record<string, unknown> {
  key?: string;
  from?: unknown;
  from_as_string?: string | boolean;
  to?: unknown;
  to_as_string?: string | boolean;
  doc_count?: number;
}

function shownText(value: number, formatter: Formatter): string | boolean | null {
  const text = formatter.shown(value);
  return text !== null && formatter.spec.k === 'boolean' ? text === 'true' : text;
}

/** What a range aggregation shows of its ranges. */
export interface RangesShape {
  readonly typedName: string;
  readonly keyed: boolean;
  /** Ranges of the answer if no shard has the field. */
  readonly fallback: readonly NumberRange[];
}

/** Merges the partial results of shards; buckets have the order of the ranges. */
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
      head: () => headOf(shape.keyed ? null : key, range, formatter, bucket.docCount),
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
