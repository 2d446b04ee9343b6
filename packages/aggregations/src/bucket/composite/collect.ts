import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { MultiNumbers } from '@shoal/segments';
import type { Aggregator, BuildSite } from '../../aggregation-type.js';
import { type BucketTable, bucketTable } from '../../collect/bucket-table.js';
import { groupByOwner } from '../../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, type Pairs, pairs, resetPairs } from '../../collect/pairs.js';
import { selectTop } from '../../collect/select-top.js';
import { docCounts } from '../../source/doc-counts.js';
import type { FormatSpec } from '../../source/format.js';
import type { CompositeRequest } from './request.js';
import { type CompositeSource, missingCode, openSource, type SourceKey, type SourceReader } from './source.js';

/** What a shard returns of a composite aggregation: the first buckets after `after`, in order. */
export interface CompositePartial {
  readonly k: readonly (readonly SourceKey[])[];
  readonly c: readonly number[];
  readonly s: readonly (readonly Value[])[] | null;
  /** Format of each source. */
  readonly f: readonly FormatSpec[];
}

function afterCodes(request: CompositeRequest, readers: readonly SourceReader[]): Float64Array | null {
  const { after } = request;
  if (!after) return null;
  if (Object.keys(after).length !== request.sources.length && request.sources.every(({ name }) => Object.hasOwn(after, name))) {
    throw errors.illegalArgument(`[after] has ${Object.keys(after).length} value(s) but [sources] has ${request.sources.length}`);
  }
  return Float64Array.from(request.sources, (source, i) => {
    if (!Object.hasOwn(after, source.name)) throw errors.illegalArgument(`Missing value for [after.${source.name}]`);
    const value = after[source.name];
    if (value !== null) return readers[i]!.codeOf(value);
    if (!source.missingBucket) throw errors.illegalArgument(`[after.${source.name}] is null but [missing_bucket] is false`);
    return missingCode(source);
  });
}

const direction = (source: CompositeSource): number => (source.ascending ? 1 : -1);

/** Sign of the order of two codes of a source in the answer. */
function compareCodes(a: number, b: number, sign: number): number {
  return a === b ? 0 : a < b ? -sign : sign;
}

/** Enough buckets beyond the page before the first source's bound is tightened. */
const SLACK = 256;

/** Collects the combinations of all sources' values. Combinations are numbered level by level: (bucket so far, next value) → bucket. */
export function compositeCollector(request: CompositeRequest, build: BuildSite): Aggregator {
  const { sources, size } = request;
  const readers = sources.map((source) => openSource(build, source));
  const after = afterCodes(request, readers);
  const signs = sources.map(direction);
  const missing = sources.map((source) => (source.missingBucket ? missingCode(source) : Number.NaN));
  const tables: BucketTable[] = sources.map(() => bucketTable(build.context.charge));
  const last = tables.at(-1)!;
  const subs = build.subs();
  const state: BucketCounts = { counts: new Int32Array(0) };
  const list: Pairs = pairs();
  const windows: MultiNumbers[] = [];
  let weights: Int32Array | null = null;
  /** Codes of the first source beyond this cannot be on the page. */
  let bound = signs[0]! > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  let checkAt = size + SLACK;

  const codesOf = (id: number): Float64Array => {
    const codes = new Float64Array(sources.length);
    for (let level = sources.length - 1, at = id; level >= 0; level--) {
      codes[level] = tables[level]!.keys[at]!;
      at = tables[level]!.owners[at]!;
    }
    return codes;
  };
  const ownerOf = (id: number): number => {
    let at = id;
    for (let level = sources.length - 1; level >= 0; level--) at = tables[level]!.owners[at]!;
    return at;
  };
  const compareIds = (a: number, b: number): number => {
    const [x, y] = [codesOf(a), codesOf(b)];
    for (let i = 0; i < x.length; i++) {
      const result = compareCodes(x[i]!, y[i]!, signs[i]!);
      if (result !== 0) return result;
    }
    return 0;
  };
  /** Only where one bucket of the parent is collected do all combinations compete for one page. */
  const tighten = (): void => {
    if (last.size < checkAt || build.node.parent) return;
    const page = selectTop(Int32Array.from({ length: last.size }, (_, i) => i), size, compareIds);
    bound = codesOf(page.at(-1)!)[0]!;
    checkAt = last.size + size + SLACK;
  };
  const add = (doc: number, score: number, level: number, at: number, window: number, isAfter: boolean): void => {
    const { starts, values } = windows[level]!;
    const [from, to] = [starts[window]!, starts[window + 1]!];
    if (from === to && !Number.isNaN(missing[level]!)) step(doc, score, level, at, window, isAfter, missing[level]!);
    for (let j = from; j < to; j++) if (j === from || values[j] !== values[j - 1]) step(doc, score, level, at, window, isAfter, values[j]!);
  };
  /** The codes of a window when every source has one value a document. */
  const singles = (docs: Int32Array, count: number): Float64Array[] | null => {
    const all: Float64Array[] = [];
    for (const reader of readers) {
      const codes = reader.singles(docs, count);
      if (!codes) return null;
      all.push(codes);
    }
    return all;
  };
  const collectSingles = (all: readonly Float64Array[], docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void => {
    const levels = all.length;
    for (let i = 0; i < count; i++) {
      let at = buckets ? buckets[i]! : 0;
      let isAfter = !after;
      let level = 0;
      for (; level < levels; level++) {
        let code = all[level]![i]!;
        if (code !== code) code = missing[level]!;
        if (code !== code || (level === 0 && (signs[0]! > 0 ? code > bound : code < bound))) break;
        if (!isAfter) {
          const order = compareCodes(code, after![level]!, signs[level]!);
          if (order < 0 || (order === 0 && level === levels - 1)) break;
          isAfter = order > 0;
        }
        at = tables[level]!.add(at, code === 0 ? 0 : code);
      }
      if (level === levels) addPair(list, docs[i]!, at, scores ? scores[i]! : 0);
    }
  };
  /** Takes one value of a level; `isAfter`: an earlier level already stands after `after`. */
  const step = (doc: number, score: number, level: number, at: number, window: number, isAfter: boolean, code: number): void => {
    if (level === 0 && compareCodes(code, bound, signs[0]!) > 0) return;
    const order = isAfter || !after ? 1 : compareCodes(code, after[level]!, signs[level]!);
    if (order < 0 || (order === 0 && level === sources.length - 1)) return;
    const id = tables[level]!.add(at, code === 0 ? 0 : code);
    if (level < sources.length - 1) return add(doc, score, level + 1, id, window, order > 0);
    if (list.count === list.docs.length) growList(list);
    addPair(list, doc, id, score);
  };
  return {
    segment(view) {
      for (const reader of readers) reader.segment(view);
      subs.segment(view);
      weights = docCounts(view);
    },
    reserve() {},
    collect(docs, buckets, count, scores) {
      resetPairs(list, count);
      const all = singles(docs, count);
      if (all) collectSingles(all, docs, buckets, count, scores);
      else for (let i = 0; i < readers.length; i++) windows[i] = readers[i]!.codes(docs, count);
      for (let i = 0; !all && i < count; i++) add(docs[i]!, scores ? scores[i]! : 0, 0, buckets ? buckets[i]! : 0, i, false);
      flushPairs(list, state, last.size, subs, scores !== null, weights);
      tighten();
    },
    partial(bucket) {
      const owners = Int32Array.from({ length: last.size }, (_, id) => ownerOf(id));
      const page = selectTop(groupByOwner(owners, last.size).of(bucket), size, compareIds);
      const keyOf = (code: number, i: number): SourceKey => (Number.isFinite(code) ? readers[i]!.key(code) : null);
      const partial: CompositePartial = {
        k: Array.from(page, (id) => Array.from(codesOf(id), keyOf)),
        c: Array.from(page, (id) => state.counts[id]!),
        s: subs.size > 0 ? Array.from(page, (id) => subs.partials(id)) : null,
        f: readers.map((reader) => reader.format),
      };
      return partial as unknown as Value;
    },
  };
}

function growList(list: Pairs): void {
  const { docs, ids, scores, count } = list;
  resetPairs(list, Math.max(16, docs.length * 2));
  list.docs.set(docs);
  list.ids.set(ids);
  list.scores.set(scores);
  list.count = count;
}

