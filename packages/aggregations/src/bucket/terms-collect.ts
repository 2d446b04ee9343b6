import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { SegmentView } from '@shoal/query';
import { compareTerms, parseIp } from '@shoal/values';
import type { AggregationNode, Aggregator, BuildSite, SubAggregators } from '../aggregation-type.js';
import { bucketTable } from '../collect/bucket-table.js';
import { growInts } from '../collect/growable.js';
import { groupByOwner, type OwnedBuckets } from '../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, pairs, resetPairs } from '../collect/pairs.js';
import { docCounts } from '../source/doc-counts.js';
import { type FormatSpec, formatOf } from '../source/format.js';
import { type GlobalOrdinals, globalOrdinals } from '../source/global-ordinals.js';
import { missingValue, numberSource } from '../source/number-source.js';
import { ordinalSource } from '../source/ordinal-source.js';
import type { ResolvedField } from '../source/values-source.js';
import type { IncludeExclude } from './include-exclude.js';
import { countMapped, keepOrdinals, usedOrdinals } from './terms.kernel.js';
import type { TermsCandidates, TermsKind } from './terms-partial.js';

/** How a terms-like aggregation turns the buckets of one owner into its partial result. */
export type TermsFinish = (kind: TermsKind, format: FormatSpec, candidates: TermsCandidates, subs: SubAggregators) => Value;

/** What terms-like aggregations collect by. */
export interface TermsOptions {
  readonly filter: IncludeExclude | null;
  readonly missing: unknown;
  readonly format: string | null;
  readonly timeZone: string | null;
  /** Adds terms that no document of the query has (`min_doc_count: 0`). */
  readonly withEmpty: boolean;
  /** Buckets with fewer documents stay on the shard. */
  readonly minCount: number;
  readonly finish: TermsFinish;
}

/** Whether a node only ever sees bucket 0: no ancestor makes several buckets. */
export function hasOneOwner(node: AggregationNode): boolean {
  for (let parent = node.parent; parent; parent = parent.parent) if (parent.behaviour.shape === 'multi') return false;
  return true;
}

/** Ordinals that one dense array of counters may have. */
const DENSE_ORDINALS_MAX = 1 << 22;

const EMPTY_IDS = new Int32Array(0);

function termParser(field: ResolvedField): (text: string) => string {
  if (field.type.valueKind !== 'ip') return (text) => text;
  return (text) => {
    const term = parseIp(text);
    if (term === null) throw errors.illegalArgument(`'${text}' is not an IP string literal.`);
    return term;
  };
}

function accepted(ordinals: GlobalOrdinals, extra: string | null, field: ResolvedField, filter: IncludeExclude | null, format: FormatSpec): Uint8Array | null {
  if (!filter) return null;
  const test = filter.acceptsTerm(format.k === 'ip' ? termParser(field) : (text) => text);
  const mask = new Uint8Array(ordinals.count + 1);
  for (let ordinal = 0; ordinal < ordinals.count; ordinal++) mask[ordinal] = test(ordinals.term(ordinal)) ? 1 : 0;
  if (extra !== null) mask[ordinals.count] = test(extra) ? 1 : 0;
  return mask;
}

/** Terms of a column of ordinals. */
export function ordinalTerms(site: BuildSite, field: ResolvedField, options: TermsOptions): Aggregator {
  const { searcher, charge } = site.context;
  const source = ordinalSource(field.type.name);
  const ordinals = globalOrdinals(searcher, field.type.name);
  const format = formatOf(field.type, options.format, options.timeZone);
  const parse = termParser(field);
  const missingTerm = options.missing === null ? null : parse(String(options.missing));
  const known = missingTerm === null ? -1 : ordinals.lookup(missingTerm);
  const missing = missingTerm === null ? -1 : known >= 0 ? known : ordinals.count;
  const mask = accepted(ordinals, missingTerm, field, options.filter, format);
  const subs = site.subs();
  const isDense = hasOneOwner(site.node) && ordinals.count < DENSE_ORDINALS_MAX;
  const table = isDense ? null : bucketTable(charge);
  const state: BucketCounts = { counts: new Int32Array(isDense ? ordinals.count + 1 : 0) };
  charge(state.counts.byteLength);
  const list = pairs();
  let map: Int32Array | null = null;
  let weights: Int32Array | null = null;
  let owned: OwnedBuckets | null = null;

  const accept = (doc: number, owner: number, ordinal: number, score: number): void => {
    if (mask && mask[ordinal] === 0) return;
    addPair(list, doc, table ? table.add(owner, ordinal) : ordinal, score);
  };
  const collectSingle = (docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void => {
    const read = source.read(docs, count);
    resetPairs(list, count);
    if (isDense && !mask && !scores) return void (list.count = keepOrdinals(docs, read, count, map, missing, list.docs, list.ids));
    for (let i = 0; i < count; i++) {
      const own = read[i]!;
      const ordinal = own < 0 ? missing : map ? map[own]! : own;
      if (ordinal >= 0) accept(docs[i]!, buckets ? buckets[i]! : 0, ordinal, scores ? scores[i]! : 0);
    }
  };
  const collectMany = (docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void => {
    const { starts, values } = source.readAll(docs, count);
    resetPairs(list, starts[count]! + (missing >= 0 ? count : 0));
    for (let i = 0; i < count; i++) {
      const [from, to] = [starts[i]!, starts[i + 1]!];
      const owner = buckets ? buckets[i]! : 0;
      const score = scores ? scores[i]! : 0;
      if (from === to && missing >= 0) accept(docs[i]!, owner, missing, score);
      for (let j = from; j < to; j++) accept(docs[i]!, owner, map ? map[values[j]!]! : values[j]!, score);
    }
  };
  const countsOnly = isDense && subs.size === 0 && missing < 0 && !mask;
  const collectCounts = (docs: Int32Array, count: number): void => {
    if (source.isSingle) return countMapped(source.read(docs, count), count, map, state.counts);
    const { starts, values } = source.readAll(docs, count);
    countMapped(values, starts[count]!, map, state.counts);
  };
  const denseIds = (): Int32Array => {
    const { counts } = state;
    if (!options.withEmpty) return usedOrdinals(counts, Math.max(1, options.minCount));
    const ids: number[] = [];
    const end = missing === ordinals.count ? ordinals.count + 1 : ordinals.count;
    for (let id = 0; id < end; id++) {
      if (counts[id]! >= Math.max(1, options.minCount) || (options.withEmpty && counts[id] === 0 && (!mask || mask[id] === 1))) ids.push(id);
    }
    return Int32Array.from(ids);
  };
  const tableIds = (owner: number): Int32Array => {
    if (options.withEmpty) for (let ordinal = 0; ordinal < ordinals.count; ordinal++) if (!mask || mask[ordinal] === 1) table!.add(owner, ordinal);
    if (options.withEmpty) [state.counts, owned] = [growInts(state.counts, table!.size), null];
    owned ??= groupByOwner(table!.owners, table!.size);
    const ids = owned.of(owner);
    return options.minCount > 1 ? ids.filter((id) => state.counts[id]! >= options.minCount) : ids;
  };
  const ordinalOf = (id: number): number => (table ? table.keys[id]! : id);
  const termOf = (id: number): string => (ordinalOf(id) === ordinals.count ? missingTerm! : ordinals.term(ordinalOf(id)));
  const compareKeys = (a: number, b: number): number => {
    const [x, y] = [ordinalOf(a), ordinalOf(b)];
    return x < ordinals.sortedCount && y < ordinals.sortedCount ? x - y : compareTerms(termOf(a), termOf(b));
  };
  return {
    segment(view: SegmentView) {
      source.segment(view);
      subs.segment(view);
      map = ordinals.map(view);
      weights = docCounts(view);
    },
    reserve() {},
    collect(docs, buckets, count, scores) {
      if (!source.column && missing < 0) return;
      if (countsOnly && !weights) return collectCounts(docs, count);
      if (source.isSingle) collectSingle(docs, buckets, count, scores);
      else collectMany(docs, buckets, count, scores);
      flushPairs(list, state, table ? table.size : ordinals.count + 1, subs, scores !== null, weights);
    },
    partial(bucket) {
      const ids = table ? tableIds(bucket) : bucket === 0 ? denseIds() : EMPTY_IDS;
      return options.finish('s', format, { ids, count: (id) => state.counts[id]!, key: termOf, compareKeys }, subs);
    },
  };
}

/** Terms of a column of numbers. */
export function numberTerms(site: BuildSite, field: ResolvedField, options: TermsOptions): Aggregator {
  const missing = missingValue(options.missing, field.type, options.format, site.context.nowMs);
  const source = numberSource(field.type, missing);
  const format = formatOf(field.type, options.format, options.timeZone);
  const kind: TermsKind = field.column === 'double' || options.format !== null && field.type.valueKind === 'double' ? 'd' : 'l';
  const test = options.filter?.acceptsNumber((value) => missingValue(value, field.type, options.format, site.context.nowMs)) ?? null;
  const subs = site.subs();
  const table = bucketTable(site.context.charge);
  const state: BucketCounts = { counts: new Int32Array(0) };
  const list = pairs();
  let weights: Int32Array | null = null;
  let owned: OwnedBuckets | null = null;
  const ownersSeen = new Set<number>();

  const accept = (doc: number, owner: number, value: number, score: number): void => {
    if (test && !test(value)) return;
    addPair(list, doc, table.add(owner, value === 0 ? 0 : value), score);
  };
  /** Whole numbers that no double holds: their place in `bigs` is the key. */
  const isBig = field.column === 'long' && site.context.searcher.segments.some((view) => view.reader.numbers(field.type.name)?.isExact === false);
  const bigs: bigint[] = [];
  const bigPlaces = new Map<bigint, number>();
  const placeOf = (value: bigint): number => {
    let place = bigPlaces.get(value);
    if (place === undefined) bigPlaces.set(value, (place = bigs.push(value) - 1));
    return place;
  };
  const collectBig = (docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void => {
    resetPairs(list, source.readAll(docs, count).starts[count]! + count);
    for (let i = 0; i < count; i++) {
      for (const value of new Set(source.column?.bigs(docs[i]!) ?? [])) {
        if (!test || test(Number(value))) addPair(list, docs[i]!, table.add(buckets ? buckets[i]! : 0, placeOf(value)), scores ? scores[i]! : 0);
      }
    }
  };
  const collectSingle = (docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void => {
    const values = source.read(docs, count);
    resetPairs(list, count);
    for (let i = 0; i < count; i++) {
      const value = values[i]!;
      if (value === value) accept(docs[i]!, buckets ? buckets[i]! : 0, value, scores ? scores[i]! : 0);
    }
  };
  const collectMany = (docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void => {
    const { starts, values } = source.readAll(docs, count);
    resetPairs(list, starts[count]!);
    for (let i = 0; i < count; i++) {
      for (let j = starts[i]!; j < starts[i + 1]!; j++) {
        if (j > starts[i]! && values[j] === values[j - 1]) continue;
        accept(docs[i]!, buckets ? buckets[i]! : 0, values[j]!, scores ? scores[i]! : 0);
      }
    }
  };
  const addEmpty = (owner: number): void => {
    if (ownersSeen.has(owner)) return;
    ownersSeen.add(owner);
    forEachValue(site, field, (value) => {
      if (!test || test(value)) table.add(owner, value === 0 ? 0 : value);
    });
    state.counts = growInts(state.counts, table.size);
    owned = null;
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
      if (isBig) collectBig(docs, buckets, count, scores);
      else if (source.isSingle) collectSingle(docs, buckets, count, scores);
      else collectMany(docs, buckets, count, scores);
      flushPairs(list, state, table.size, subs, scores !== null, weights);
    },
    partial(bucket) {
      if (options.withEmpty) addEmpty(bucket);
      owned ??= groupByOwner(table.owners, table.size);
      const all = owned.of(bucket);
      const ids = options.minCount > 1 ? all.filter((id) => state.counts[id]! >= options.minCount) : all;
      const { keys } = table;
      return options.finish(kind, format, { ids, count: (id) => state.counts[id]!, key: (id) => (isBig ? bigs[keys[id]!]! : keys[id]!), compareKeys: (a, b) => (isBig ? compareBigs(bigs[keys[a]!]!, bigs[keys[b]!]!) : keys[a]! - keys[b]!) }, subs);
    },
  };
}

const compareBigs = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Calls `visit` with every value of a field, deleted documents included as in Elasticsearch. */
function forEachValue(site: BuildSite, field: ResolvedField, visit: (value: number) => void): void {
  const source = numberSource(field.type, Number.NaN);
  for (const view of site.context.searcher.segments) {
    source.segment(view);
    const docs = Int32Array.from({ length: view.maxDoc }, (_, doc) => doc);
    const { starts, values } = source.readAll(docs, docs.length);
    for (let i = 0; i < starts[docs.length]!; i++) visit(values[i]!);
  }
}
