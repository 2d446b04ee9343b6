import type { SegmentView } from '@shoal/query';
import { growCounts } from '../collect/counts.js';
import { refusePatterns } from './include-exclude.js';
import type { Aggregator, BuildSite, SubAggregators } from '../aggregation-type.js';
import { type BucketTable, bucketTable } from '../collect/bucket-table.js';
import { eachWindow } from '../collect/seen-docs.js';
import { groupByOwner, type OwnedBuckets } from '../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, type Pairs, pairs, resetPairs } from '../collect/pairs.js';
import { docCounts } from '../source/doc-counts.js';
import { type FormatSpec, formatOf } from '../source/format.js';
import { missingValue, type NumberSource, numberSource } from '../source/number-source.js';
import type { ResolvedField } from '../source/values-source.js';
import { isWide, wholeKey, wholeOf } from '../source/wide-numbers.js';
import type { TermsOptions } from './terms-collect.js';
import type { TermsCandidates, TermsKind } from './terms-partial.js';

const compareBigs = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Collects terms of a numeric column: the pair (bucket of the parent, number) is looked up in a hash table. */
export class NumberTerms<P> implements Aggregator<P> {
  readonly #site: BuildSite;
  readonly #field: ResolvedField;
  readonly #options: TermsOptions<P>;
  readonly #source: NumberSource;
  readonly #format: FormatSpec;
  readonly #kind: TermsKind;
  readonly #test: ((value: number | bigint) => boolean) | null;
  readonly #subs: SubAggregators;
  readonly #table: BucketTable;
  readonly #state: BucketCounts = { counts: new Int32Array(0) };
  readonly #list: Pairs;
  /** Whether the column has whole numbers beyond 2^53. Keys of the hash table are then indexes into `#bigs`. */
  readonly #isBig: boolean;
  readonly #bigs: bigint[] = [];
  /** Value of documents without one (`missing`), if `#isBig`. */
  readonly #missing: bigint | null;
  readonly #missingNumber: number;
  readonly #bigPlaces = new Map<bigint, number>();
  readonly #filledOwners = new Set<number>();
  #weights: Int32Array | null = null;
  /** The segment that sub-aggregations are not told of yet: they are at its first document with a bucket. */
  #unopened: SegmentView | null = null;
  #owned: OwnedBuckets | null = null;

  constructor(site: BuildSite, field: ResolvedField, options: TermsOptions<P>) {
    const { now, searcher, charge, scratch } = site.context;
    const parse = (value: unknown): number => missingValue(value, field.type, options.format, now);
    this.#site = site;
    this.#field = field;
    this.#options = options;
    this.#list = pairs(scratch);
    this.#missingNumber = parse(options.missing);
    this.#source = numberSource(field.type, this.#missingNumber, scratch);
    this.#format = formatOf(field.type, options.format, options.timeZone);
    this.#kind = field.column === 'double' ? 'd' : this.#format.k === 'unsigned' ? 'u' : 'l';
    this.#subs = site.subs();
    this.#table = bucketTable(charge, scratch);
    this.#isBig = field.column === 'long' && isWide(searcher, field.type.name);
    this.#missing = wholeOf(options.missing ?? Number.NaN);
    refusePatterns(options.filter, site.node.name, true);
    this.#test = options.filter?.acceptsNumber((value) => this.#exactly(value) ?? parse(value)) ?? null;
  }

  segment(view: SegmentView): void {
    this.#source.segment(view);
    this.#unopened = view;
    this.#weights = docCounts(view);
  }

  reserve(): void {}

  collect(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    if (this.#source.isEmpty) return;
    if (this.#isBig) this.#keepBig(docs, buckets, count, scores);
    else if (this.#source.isSingle) this.#keepSingle(docs, buckets, count, scores);
    else this.#keepMany(docs, buckets, count, scores);
    if (this.#list.count === 0) return;
    if (this.#unopened !== null) this.#subs.segment(this.#unopened);
    this.#unopened = null;
    flushPairs(this.#list, this.#state, this.#table.size, this.#subs, scores !== null, this.#weights);
  }

  #accept(doc: number, owner: number, value: number, score: number): void {
    if (this.#test && !this.#test(value)) return;
    addPair(this.#list, doc, this.#table.add(owner, value === 0 ? 0 : value), score);
  }

  #keepSingle(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const values = this.#source.read(docs, count);
    resetPairs(this.#list, count);
    for (let i = 0; i < count; i++) {
      const value = values[i]!;
      if (value === value) this.#accept(docs[i]!, buckets ? buckets[i]! : 0, value, scores ? scores[i]! : 0);
    }
  }

  #keepMany(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const { starts, values } = this.#source.readAll(docs, count);
    const repeats = this.#options.countsRepeats === true;
    resetPairs(this.#list, starts[count]!);
    for (let i = 0; i < count; i++) {
      for (let j = starts[i]!; j < starts[i + 1]!; j++) {
        if (!repeats && j > starts[i]! && values[j] === values[j - 1]) continue;
        this.#accept(docs[i]!, buckets ? buckets[i]! : 0, values[j]!, scores ? scores[i]! : 0);
      }
    }
  }

  #keepBig(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    resetPairs(this.#list, this.#source.readAll(docs, count).starts[count]! + count);
    for (let i = 0; i < count; i++) {
      for (const value of this.#bigsOf(docs[i]!)) {
        if (this.#test && !this.#test(wholeKey(value))) continue;
        addPair(
          this.#list,
          docs[i]!,
          this.#table.add(buckets ? buckets[i]! : 0, this.#placeOf(value)),
          scores ? scores[i]! : 0,
        );
      }
    }
  }

  #bigsOf(doc: number): Iterable<bigint> {
    const values = new Set(this.#source.column?.bigs(doc));
    return values.size === 0 && this.#missing !== null ? [this.#missing] : values;
  }

  /** Parses a value of `include` or `exclude` without rounding it to a double. */
  #exactly(value: unknown): number | bigint | null {
    const whole = this.#isBig ? wholeOf(value) : null;
    return whole === null ? null : wholeKey(whole);
  }

  #placeOf(value: bigint): number {
    let place = this.#bigPlaces.get(value);
    if (place === undefined) this.#bigPlaces.set(value, (place = this.#bigs.push(value) - 1));
    return place;
  }

  describe(): { type: string; debug: Record<string, unknown> } {
    return {
      type: 'NumericTermsAggregator',
      debug: { result_strategy: this.#kind === 'd' ? 'double_terms' : 'long_terms', total_buckets: this.#table.size },
    };
  }

  partial(bucket: number): P | null {
    if (this.#options.withEmpty) this.#addEmpty(bucket);
    this.#owned ??= groupByOwner(this.#table.owners, this.#table.size);
    const all = this.#owned.of(bucket);
    const { counts } = this.#state;
    const { minCount } = this.#options;
    const ids = minCount > 1 ? all.filter((id) => counts[id]! >= minCount) : all;
    return this.#options.finish(this.#kind, this.#format, this.#candidates(ids), this.#subs);
  }

  #candidates(ids: Int32Array): TermsCandidates {
    const { keys } = this.#table;
    const { counts } = this.#state;
    const big = (id: number): bigint => this.#bigs[keys[id]!]!;
    return {
      ids,
      count: (id) => counts[id]!,
      key: (id) => (this.#isBig ? wholeKey(big(id)) : keys[id]!),
      compareKeys: (a, b) => (this.#isBig ? compareBigs(big(a), big(b)) : keys[a]! - keys[b]!),
    };
  }

  #addEmpty(owner: number): void {
    if (this.#filledOwners.has(owner)) return;
    this.#filledOwners.add(owner);
    const add = (key: number, value: number | bigint): void => {
      if (!this.#test || this.#test(value)) this.#table.add(owner, key);
    };
    if (this.#isBig) this.#eachBig((value) => add(this.#placeOf(value), wholeKey(value)));
    else this.#eachValue((value) => add(value === 0 ? 0 : value, value));
    if (this.#options.missing !== null && this.#isMissingSomewhere()) this.#addMissing(add);
    this.#state.counts = growCounts(this.#state.counts, this.#table.size);
    this.#owned = null;
  }

  #addMissing(add: (key: number, value: number | bigint) => void): void {
    const missing = this.#missingNumber;
    if (!this.#isBig) add(missing === 0 ? 0 : missing, missing);
    else if (this.#missing !== null) add(this.#placeOf(this.#missing), wholeKey(this.#missing));
  }

  /** Whether a document of the shard has no value, be it found or not. */
  #isMissingSomewhere(): boolean {
    return this.#site.context.searcher.segments.some(({ reader, maxDoc }) => {
      const column = reader.numbers(this.#field.type.name);
      return maxDoc > 0 && (column === null || column.docsWithField < maxDoc);
    });
  }

  #eachBig(visit: (value: bigint) => void): void {
    const { searcher } = this.#site.context;
    for (const view of searcher.segments) {
      const column = view.reader.numbers(this.#field.type.name);
      if (column === null) continue;
      eachWindow(searcher, view, (docs, count) => {
        for (let i = 0; i < count; i++) column.bigs(docs[i]!).forEach(visit);
      });
    }
  }

  /**
   * Visits every value of the field. Deleted documents count, as in Elasticsearch; documents hidden by document-level
   * security do not.
   */
  #eachValue(visit: (value: number) => void): void {
    const { searcher, scratch } = this.#site.context;
    const source = numberSource(this.#field.type, Number.NaN, scratch);
    for (const view of searcher.segments) {
      source.segment(view);
      eachWindow(searcher, view, (docs, count) => {
        const { starts, values } = source.readAll(docs, count);
        for (let i = 0; i < starts[count]!; i++) visit(values[i]!);
      });
    }
  }
}
