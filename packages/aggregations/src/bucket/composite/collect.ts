import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { SegmentView } from '@shoal/query';
import type { MultiNumbers } from '@shoal/segments';
import type { Aggregator, BuildSite, SubAggregators } from '../../aggregation-type.js';
import { type BucketTable, bucketTable } from '../../collect/bucket-table.js';
import { mapIds } from '../../collect/map-ids.js';
import { inTurns } from '../../collect/in-turns.js';
import {
  addPair,
  type BucketCounts,
  flushPairs,
  growPairs,
  type Pairs,
  pairs,
  resetPairs,
} from '../../collect/pairs.js';
import { docCounts } from '../../source/doc-counts.js';
import type { FormatSpec } from '../../source/format.js';
import { type CombinationLevel, type CombinationPage, Combinations } from './combinations.js';
import { FirstBound } from './first-bound.js';
import type { CompositeRequest } from './request.js';
import { missingCode, openSource } from './source.js';
import type { CodeRange, SourceKey, SourceReader } from './source-reader.js';

/** Partial result of a composite aggregation: the first buckets after `after`, in order. */
export type CompositePartial = {
  readonly k: readonly (readonly SourceKey[])[];
  readonly c: readonly number[];
  readonly s: readonly (readonly Value[])[] | null;
  /** Format of each source. */
  readonly f: readonly FormatSpec[];
};

function afterCodes(request: CompositeRequest, readers: readonly SourceReader[]): Float64Array | null {
  const { after } = request;
  if (!after) return null;
  const given = Object.keys(after).length;
  if (given !== request.sources.length)
    throw errors.illegalArgument(`[after] has ${given} value(s) but [sources] has ${request.sources.length}`);
  return Float64Array.from(request.sources, (source, i) => {
    if (!Object.hasOwn(after, source.name)) throw errors.illegalArgument(`Missing value for [after.${source.name}]`);
    const value = after[source.name];
    if (value !== null) return readers[i]!.codeOf(value);
    if (!source.missingBucket)
      throw errors.illegalArgument(`[after.${source.name}] is null but [missing_bucket] is false`);
    return missingCode(source);
  });
}

/** Compares two codes of a source in the order of the answer; `sign` is -1 for descending sources. */
function compareCodes(a: number, b: number, sign: number): number {
  return a === b ? 0 : a < b ? -sign : sign;
}

/** What the tree of combinations takes for a pair of a level: its place among its siblings, and whether it is used. */
const PAIR_BYTES = 5;

const NO_PAGE: CombinationPage = { ids: new Int32Array(0), keys: [] };

/** Documents collected at a time while the first source has no bound yet. */
const FIRST_DOCS = 1024;

/**
 * Collects the combinations of all sources' values. Combinations are numbered level by level: the pair (bucket of the
 * previous sources, code) gets a bucket number. Documents whose first value lies beyond the page are dropped.
 */
export class CompositeCollector implements Aggregator<CompositePartial> {
  readonly #size: number;
  readonly #hasParent: boolean;
  readonly #readers: readonly SourceReader[];
  readonly #after: Float64Array | null;
  readonly #signs: readonly number[];
  /** For each source the code of a missing value; NaN if documents without a value are dropped. */
  readonly #missing: readonly number[];
  readonly #tables: readonly BucketTable[];
  readonly #last: BucketTable;
  readonly #subs: SubAggregators;
  /** The segment of the documents that come next; null once the sub-aggregations read it. */
  #unread: SegmentView | null = null;
  readonly #state: BucketCounts = { counts: new Int32Array(0) };
  readonly #list: Pairs;
  readonly #windows: MultiNumbers[] = [];
  #weights: Int32Array | null = null;
  /** Indexes in the window of the documents that the first source keeps. */
  #rows = new Int32Array(0);
  /** Codes of the first source for these documents. */
  #codes = new Float64Array(0);
  /** One byte a pair: 1 if the codes of the sources read so far come after those of `after`. */
  #isAfter = new Uint8Array(0);
  /** Last code of the first source that can still be on the page; ±Infinity while not known. */
  #bound: number;
  readonly #firstBound: FirstBound;
  /** Combinations that the document which is collected may still make. */
  #left = 0;
  /** The page of each parent bucket, made after the last segment. */
  readonly #pages = new Map<number, CombinationPage>();

  constructor(request: CompositeRequest, build: BuildSite) {
    const { sources, size } = request;
    this.#size = size;
    this.#list = pairs(build.context.scratch);
    this.#hasParent = build.node.parent !== null;
    this.#readers = sources.map((source) => openSource(build, source));
    this.#after = afterCodes(request, this.#readers);
    this.#signs = sources.map((source) => (source.ascending ? 1 : -1));
    this.#missing = sources.map((source) => (source.missingBucket ? missingCode(source) : Number.NaN));
    this.#tables = sources.map(() => bucketTable(build.context.charge, build.context.scratch));
    this.#last = this.#tables.at(-1)!;
    build.afterSegments(() => inTurns(this.#makePages(build.context.charge), build.context.pause));
    this.#subs = build.subs();
    this.#bound = this.#signs[0]! > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    this.#firstBound = new FirstBound(this.#tables, size, (a, b) => compareCodes(a, b, this.#signs[0]!));
  }

  /**
   * Sub-aggregations read a segment only once it has a combination, as in 8.12: what they refuse then (a `sampler`
   * without aggregations below) is not refused without combinations.
   */
  segment(view: SegmentView): void {
    for (const reader of this.#readers) reader.segment(view);
    this.#unread = view;
    this.#weights = docCounts(view);
  }

  reserve(): void {}

  /** Collects few documents at a time until the first source has a bound, so that the bound is found early. */
  collect(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    let from = 0;
    for (; !this.#hasParent && !Number.isFinite(this.#bound) && count - from > FIRST_DOCS; from += FIRST_DOCS) {
      const to = from + FIRST_DOCS;
      this.#collect(
        docs.subarray(from, to),
        buckets?.subarray(from, to) ?? null,
        FIRST_DOCS,
        scores?.subarray(from, to) ?? null,
      );
    }
    if (from === 0) this.#collect(docs, buckets, count, scores);
    else
      this.#collect(
        docs.subarray(from, count),
        buckets?.subarray(from, count) ?? null,
        count - from,
        scores?.subarray(from, count) ?? null,
      );
  }

  #collect(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    resetPairs(this.#list, count);
    if (this.#readers.every((reader) => reader.isSingle())) this.#keepSingles(docs, buckets, count, scores);
    else this.#keepMany(docs, buckets, count, scores);
    if (this.#unread && this.#list.count > 0) {
      this.#subs.segment(this.#unread);
      this.#unread = null;
    }
    flushPairs(this.#list, this.#state, this.#last.size, this.#subs, scores !== null, this.#weights);
    this.#tighten();
  }

  /**
   * Collects a window where each document has at most one value of every source. Each source is read only for documents
   * that earlier sources kept.
   */
  #keepSingles(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const list = this.#list;
    if (this.#rows.length < count) {
      this.#rows = new Int32Array(count);
      this.#codes = new Float64Array(count);
      this.#isAfter = new Uint8Array(count);
    }
    const [rows, codes] = [this.#rows, this.#codes];
    list.count = this.#readers[0]!.select(docs, count, this.#range(), rows, codes);
    for (let i = 0; i < list.count; i++) list.docs[i] = docs[rows[i]!]!;
    if (buckets) for (let i = 0; i < list.count; i++) list.ids[i] = buckets[rows[i]!]!;
    else list.ids.fill(0, 0, list.count);
    if (scores) for (let i = 0; i < list.count; i++) list.scores[i] = scores[rows[i]!]!;
    this.#isAfter.fill(this.#after === null ? 1 : 0, 0, list.count);
    this.#narrow(0, codes);
    for (let level = 1; level < this.#readers.length; level++)
      this.#narrow(level, this.#readers[level]!.singles(list.docs, list.count));
  }

  /**
   * Replaces the bucket of each pair by the bucket that includes the value of source `level`; drops pairs that cannot
   * be on the page.
   */
  #narrow(level: number, codes: Float64Array): void {
    const list = this.#list;
    const isAfter = this.#isAfter;
    const table = this.#tables[level]!;
    const [sign, missing] = [this.#signs[level]!, this.#missing[level]!];
    const after = this.#after ? this.#after[level]! : 0;
    const isLast = level === this.#tables.length - 1;
    const { docs, ids, scores, count } = list;
    let size = 0;
    for (let i = 0; i < count; i++) {
      let code = codes[i]!;
      if (code !== code) code = missing;
      if (code !== code || (level === 0 && this.#isBeyond(code))) continue;
      const order = isAfter[i] === 1 ? 1 : compareCodes(code, after, sign);
      if (order < 0 || (order === 0 && isLast)) continue;
      docs[size] = docs[i]!;
      scores[size] = scores[i]!;
      isAfter[size] = order > 0 ? 1 : 0;
      codes[size] = code === 0 ? 0 : code;
      ids[size++] = ids[i]!;
    }
    table.addAll(ids, codes, size, ids);
    list.count = size;
  }

  /** Codes of the first source from the last page to the bound. */
  #range(): CodeRange {
    const sign = this.#signs[0]!;
    const after = this.#after ? this.#after[0]! : -sign * Number.POSITIVE_INFINITY;
    const missing = this.#missing[0]!;
    return sign > 0 ? { low: after, high: this.#bound, missing } : { low: this.#bound, high: after, missing };
  }

  #isBeyond(code: number): boolean {
    return this.#signs[0]! > 0 ? code > this.#bound : code < this.#bound;
  }

  #keepMany(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    for (let i = 0; i < this.#readers.length; i++) this.#windows[i] = this.#readers[i]!.codes(docs, count);
    for (let i = 0; i < count; i++) {
      if (!this.#hasAllSources(i)) continue;
      this.#left = this.#size;
      this.#descend(docs[i]!, scores ? scores[i]! : 0, 0, buckets ? buckets[i]! : 0, i, this.#after === null);
    }
  }

  /** Whether each source has a value, or a bucket of those without, for a document of the window. */
  #hasAllSources(window: number): boolean {
    return this.#windows.every(
      ({ starts }, level) => starts[window]! < starts[window + 1]! || !Number.isNaN(this.#missing[level]!),
    );
  }

  /**
   * Steps through the values of a document for source `level` in their order, until the document has made as many
   * combinations as a page has: those that follow cannot be on it. `isAfter`: an earlier source already comes after
   * `after`.
   */
  #descend(doc: number, score: number, level: number, at: number, window: number, isAfter: boolean): void {
    const { starts, values } = this.#windows[level]!;
    const [from, to] = [starts[window]!, starts[window + 1]!];
    if (from === to) return this.#step(doc, score, level, at, window, isAfter, this.#missing[level]!);
    const sign = this.#signs[level]!;
    const [first, end] = sign > 0 ? [from, to] : [to - 1, from - 1];
    for (let j = first; j !== end && this.#left > 0; j += sign)
      if (j === first || values[j] !== values[j - sign]) this.#step(doc, score, level, at, window, isAfter, values[j]!);
  }

  #step(doc: number, score: number, level: number, at: number, window: number, isAfter: boolean, code: number): void {
    if (level === 0 && this.#isBeyond(code)) return;
    const isLast = level === this.#tables.length - 1;
    const order = isAfter ? 1 : compareCodes(code, this.#after![level]!, this.#signs[level]!);
    if (order < 0 || (order === 0 && isLast)) return;
    const id = this.#tables[level]!.add(at, code === 0 ? 0 : code);
    if (!isLast) return this.#descend(doc, score, level + 1, id, window, order > 0);
    if (this.#list.count === this.#list.docs.length) growPairs(this.#list);
    addPair(this.#list, doc, id, score);
    this.#left--;
  }

  /**
   * Computes the bound of the first source from the best combinations so far. Only at the top level: below another
   * aggregation each parent bucket has a page of its own.
   */
  #tighten(): void {
    if (!this.#hasParent) this.#bound = this.#firstBound.next() ?? this.#bound;
  }

  *#makePages(charge: (bytes: number) => void): Generator<void, void> {
    const levels = this.#tables.map((table, i): CombinationLevel => {
      const [reader, sign] = [this.#readers[i]!, this.#signs[i]!];
      return {
        table,
        compare: (a, b) => compareCodes(a, b, sign),
        key: (code) => (Number.isFinite(code) ? reader.key(code) : null),
      };
    });
    charge(levels.reduce((bytes, { table }) => bytes + table.size * PAIR_BYTES, 0));
    const combinations = yield* Combinations.of(levels);
    const { owners, size } = this.#tables[0]!;
    for (const bucket of new Set(owners.subarray(0, size)))
      this.#pages.set(bucket, yield* combinations.page(bucket, this.#size));
  }

  partial(bucket: number): CompositePartial | null {
    const { ids, keys } = this.#pages.get(bucket) ?? NO_PAGE;
    return {
      k: keys,
      c: mapIds(ids, (id) => this.#state.counts[id]!),
      s: this.#subs.size > 0 ? mapIds(ids, (id) => this.#subs.partials(id)) : null,
      f: this.#readers.map((reader) => reader.format),
    };
  }
}
