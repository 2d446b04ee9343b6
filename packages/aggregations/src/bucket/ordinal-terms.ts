import type { FieldType } from '@shoal/mapping';
import { growCounts } from '../collect/counts.js';
import { refusePatterns } from './include-exclude.js';
import { errors } from '@shoal/errors';
import { type GlobalOrdinals, globalOrdinals, type Scratch, type Searcher, type SegmentView } from '@shoal/query';
import { compareTerms } from '@shoal/codec';
import { parseIp } from '@shoal/values';
import type { Aggregator, BuildSite, SubAggregators } from '../aggregation-type.js';
import { type BucketTable, bucketTable } from '../collect/bucket-table.js';
import { groupByOwner, type OwnedBuckets } from '../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, type Pairs, pairs, resetPairs } from '../collect/pairs.js';
import { eachWindow } from '../collect/seen-docs.js';
import { docCounts } from '../source/doc-counts.js';
import { type FormatSpec, formatOf } from '../source/format.js';
import { ordinalSource } from '../source/ordinal-source.js';
import type { ResolvedField } from '../source/values-source.js';
import { keepOrdinals, usedOrdinals } from './terms.kernel.js';
import { hasOneOwner, type TermsOptions } from './terms-collect.js';
import { type CountingOrdinalSource, countingOrdinalSource } from './terms-ordinals.js';

/** Limit for ordinals that are counted in an array; fields with more use a hash table. */
const DENSE_ORDINALS_MAX = 1 << 22;

const NO_IDS = new Int32Array(0);

function zeros(length: number, scratch: Scratch | undefined): Int32Array<ArrayBuffer> {
  return scratch === undefined ? new Int32Array(length) : scratch.ints(length).subarray(0, length).fill(0);
}

function termParser(field: ResolvedField): (text: string) => string {
  if (field.type.valueKind !== 'ip') return (text) => text;
  return (text) => {
    const term = parseIp(text);
    if (term === null) throw errors.illegalArgument(`'${text}' is not an IP string literal.`);
    return term;
  };
}

/** Marks the ordinals of terms in documents that the caller may see: one byte an ordinal. */
function seenOrdinals(searcher: Searcher, field: string, ordinals: GlobalOrdinals): Uint8Array {
  const seen = new Uint8Array(ordinals.count + 1);
  const source = ordinalSource(field, undefined);
  for (const view of searcher.segments) {
    source.segment(view);
    const map = ordinals.map(view);
    eachWindow(searcher, view, (docs, count) => {
      const { starts, values } = source.readAll(docs, count);
      for (let i = 0; i < starts[count]!; i++) seen[map ? map[values[i]!]! : values[i]!] = 1;
    });
  }
  return seen;
}

/**
 * Collects terms of an ordinal column. At the top level the bucket number of a term is its global ordinal. Below other
 * buckets the pair (bucket of the parent, ordinal) is looked up in a hash table. If no document has the term of
 * `missing`, its number follows the last ordinal.
 */
export class OrdinalTerms<P> implements Aggregator<P> {
  readonly #options: TermsOptions<P>;
  readonly #field: FieldType;
  readonly #source: CountingOrdinalSource;
  readonly #ordinals: GlobalOrdinals;
  readonly #format: FormatSpec;
  readonly #subs: SubAggregators;
  /** Numbers of pairs (bucket of the parent, ordinal); null if bucket numbers are ordinals. */
  readonly #table: BucketTable | null;
  readonly #missingTerm: string | null;
  /** Ordinal of the term of `missing`, -1 for none. */
  readonly #missing: number;
  /**
   * One byte an ordinal: 1 if `include` and `exclude` accept the term and the caller may see it. Null: all ordinals.
   */
  readonly #mask: Uint8Array | null;
  readonly #state: BucketCounts;
  readonly #list: Pairs;
  #map: Int32Array | null = null;
  #weights: Int32Array | null = null;
  #owned: OwnedBuckets | null = null;

  constructor(site: BuildSite, field: ResolvedField, options: TermsOptions<P>) {
    const { searcher, charge, scratch } = site.context;
    this.#options = options;
    this.#list = pairs(scratch);
    this.#field = field.type;
    this.#source = countingOrdinalSource(searcher, field.type.name, scratch);
    this.#ordinals = options.deferred
      ? globalOrdinals(searcher, field.type.name, 'map')
      : globalOrdinals(searcher, field.type.name);
    this.#format = formatOf(field.type, options.format, options.timeZone);
    this.#subs = site.subs();
    if (this.#format.k === 'ip' || this.#format.k === 'series') refusePatterns(options.filter, site.node.name, false);
    const parse = termParser(field);
    this.#missingTerm = options.missing === null ? null : parse(String(options.missing));
    this.#missing = this.#missingTerm === null ? -1 : this.#ordinalOfMissing(this.#missingTerm);
    this.#mask = this.#accepted(
      parse,
      options.withEmpty && searcher.hidesDocuments === true
        ? seenOrdinals(searcher, field.type.name, this.#ordinals)
        : null,
    );
    const isDense = hasOneOwner(site.node) && this.#ordinals.count < DENSE_ORDINALS_MAX;
    this.#table = isDense ? null : bucketTable(charge, scratch);
    this.#state = { counts: isDense ? zeros(this.#ordinals.count + 1, scratch) : NO_IDS };
    charge(this.#state.counts.byteLength);
  }

  #ordinalOfMissing(term: string): number {
    const known = this.#ordinals.lookup(term);
    return known >= 0 ? known : this.#ordinals.count;
  }

  #accepted(parse: (text: string) => string, seen: Uint8Array | null): Uint8Array | null {
    const { filter } = this.#options;
    if (seen !== null && this.#missing >= 0) seen[this.#missing] = 1;
    if (!filter) return seen;
    const test = filter.acceptsTerm(parse);
    const { count } = this.#ordinals;
    const mask = new Uint8Array(count + 1);
    for (let ordinal = 0; ordinal < count; ordinal++)
      mask[ordinal] = (seen === null || seen[ordinal] === 1) && test(this.#ordinals.term(ordinal)) ? 1 : 0;
    if (this.#missingTerm !== null) mask[count] = test(this.#missingTerm) ? 1 : 0;
    return mask;
  }

  segment(view: SegmentView): void {
    this.#source.segment(view);
    this.#subs.segment(view);
    this.#map = this.#ordinals.map(view);
    this.#weights = docCounts(view);
  }

  reserve(): void {}

  collect(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    if (!this.#source.column && this.#missing < 0) return;
    const isPlain = !this.#table && !this.#mask && this.#missing < 0;
    if (isPlain && this.#subs.size === 0 && !this.#weights)
      return this.#source.count(docs, count, this.#map, this.#state.counts);
    if (!this.#source.isSingle) this.#keepMany(docs, buckets, count, scores);
    else if (!this.#table && !this.#mask && !scores) this.#keepPlain(docs, count);
    else this.#keepSingle(docs, buckets, count, scores);
    flushPairs(
      this.#list,
      this.#state,
      this.#table ? this.#table.size : this.#ordinals.count + 1,
      this.#subs,
      scores !== null,
      this.#weights,
    );
  }

  #keepPlain(docs: Int32Array, count: number): void {
    const list = this.#list;
    resetPairs(list, count);
    list.count = keepOrdinals(
      docs,
      this.#source.read(docs, count),
      count,
      this.#map,
      this.#missing,
      list.docs,
      list.ids,
    );
  }

  #accept(doc: number, owner: number, ordinal: number, score: number): void {
    if (this.#mask && this.#mask[ordinal] === 0) return;
    addPair(this.#list, doc, this.#table ? this.#table.add(owner, ordinal) : ordinal, score);
  }

  #keepSingle(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const read = this.#source.read(docs, count);
    const map = this.#map;
    resetPairs(this.#list, count);
    for (let i = 0; i < count; i++) {
      const own = read[i]!;
      const ordinal = own < 0 ? this.#missing : map ? map[own]! : own;
      if (ordinal >= 0) this.#accept(docs[i]!, buckets ? buckets[i]! : 0, ordinal, scores ? scores[i]! : 0);
    }
  }

  #keepMany(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const { starts, values } = this.#source.readAll(docs, count);
    const map = this.#map;
    resetPairs(this.#list, starts[count]! + (this.#missing >= 0 ? count : 0));
    for (let i = 0; i < count; i++) {
      const [from, to] = [starts[i]!, starts[i + 1]!];
      const owner = buckets ? buckets[i]! : 0;
      const score = scores ? scores[i]! : 0;
      if (from === to && this.#missing >= 0) this.#accept(docs[i]!, owner, this.#missing, score);
      for (let j = from; j < to; j++) this.#accept(docs[i]!, owner, map ? map[values[j]!]! : values[j]!, score);
    }
  }

  describe(): { type: string; debug: Record<string, unknown> } {
    const { deferred } = this.#options;
    if (deferred) {
      const debug = {
        collection_strategy: `from Field [${this.#field.name}] of type [${this.#field.typeName}]`,
        ...(deferred.length > 0 ? { deferred_aggregators: deferred } : {}),
        result_strategy: 'terms',
      };
      return { type: 'MapStringTermsAggregator', debug };
    }
    return {
      type: 'GlobalOrdinalsStringTermsAggregator',
      debug: {
        collection_strategy: this.#table ? 'remap' : 'dense',
        result_strategy: 'terms',
        has_filter: this.#mask !== null,
      },
    };
  }

  partial(bucket: number): P | null {
    const ids = this.#table ? this.#hashedIds(this.#table, bucket) : bucket === 0 ? this.#denseIds() : NO_IDS;
    const candidates = {
      ids,
      counts: this.#state.counts,
      count: (id: number) => this.#state.counts[id]!,
      key: (id: number) => this.#term(id),
      compareKeys: (a: number, b: number) => this.#compare(a, b),
    };
    return this.#options.finish('s', this.#format, candidates, this.#subs);
  }

  #denseIds(): Int32Array {
    const { counts } = this.#state;
    const least = Math.max(1, this.#options.minCount);
    if (!this.#options.withEmpty) return usedOrdinals(counts, least);
    const ids: number[] = [];
    for (let id = 0; id < this.#ordinalsEnd; id++)
      if (counts[id]! >= least || (counts[id] === 0 && this.#isAccepted(id))) ids.push(id);
    return Int32Array.from(ids);
  }

  /** The number behind the last ordinal, that of the term of `missing` among them. */
  get #ordinalsEnd(): number {
    return this.#missing === this.#ordinals.count ? this.#ordinals.count + 1 : this.#ordinals.count;
  }

  #isAccepted(ordinal: number): boolean {
    return !this.#mask || this.#mask[ordinal] === 1;
  }

  #hashedIds(table: BucketTable, owner: number): Int32Array {
    if (this.#options.withEmpty) this.#addEmpty(table, owner);
    this.#owned ??= groupByOwner(table.owners, table.size);
    const ids = this.#owned.of(owner);
    const { minCount } = this.#options;
    return minCount > 1 ? ids.filter((id) => this.#state.counts[id]! >= minCount) : ids;
  }

  #addEmpty(table: BucketTable, owner: number): void {
    for (let ordinal = 0; ordinal < this.#ordinalsEnd; ordinal++)
      if (this.#isAccepted(ordinal)) table.add(owner, ordinal);
    this.#state.counts = growCounts(this.#state.counts, table.size);
    this.#owned = null;
  }

  #ordinal(id: number): number {
    return this.#table ? this.#table.keys[id]! : id;
  }

  #term(id: number): string {
    const ordinal = this.#ordinal(id);
    return ordinal === this.#ordinals.count ? this.#missingTerm! : this.#ordinals.term(ordinal);
  }

  #compare(a: number, b: number): number {
    const [x, y] = [this.#ordinal(a), this.#ordinal(b)];
    const { sortedCount } = this.#ordinals;
    return x < sortedCount && y < sortedCount ? x - y : compareTerms(this.#term(a), this.#term(b));
  }
}
