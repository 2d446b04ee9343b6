import { type Value, compareTerms } from '@shoal/codec';
import type { Counts } from '../collect/counts.js';
import type { Scratch } from '@shoal/query';
import type { AggregationNode, BuildSite, ReduceSite, SubAggregators } from '../aggregation-type.js';
import { growInts } from '../collect/growable.js';
import { nthLargest } from '../collect/nth-largest.kernel.js';
import { mapIdsToNumbers, mapIds } from '../collect/map-ids.js';
import { selectTop } from '../collect/select-top.js';
import { bucketComparator, type BucketOrder, ordersBySubs } from '../reduce/order.js';
import { reduceSubsLocally } from '../reduce/reduce.js';
import type { ReducedBucket } from '../reduce/reduced.js';
import type { FormatSpec } from '../source/format.js';
import { idsFrom, sumCounts, totalOf } from './terms.kernel.js';

/**
 * Type of the keys of a terms partial result: `s` strings, `l` whole numbers, `u` unsigned whole numbers, `d` doubles.
 * If shards have several numeric types, keys become doubles.
 */
export type TermsKind = 's' | 'l' | 'u' | 'd';

/** Partial result of a terms aggregation. Keys, counts and sub-aggregations are parallel arrays. */
export type TermsPartial = {
  readonly t: TermsKind;
  readonly f: FormatSpec;
  /** Terms as the column has them, without format; numbers; bigints beyond 2^53. */
  readonly k: readonly (string | number | bigint)[];
  readonly c: readonly number[] | Float64Array;
  readonly s: readonly (readonly Value[])[] | null;
  /** Sum of the counts of terms that the shard did not return. */
  readonly o: number;
  /** Whether the shard left out buckets. */
  readonly cut: boolean;
};

/** Buckets of one parent bucket; `ids` lists their numbers. */
export interface TermsCandidates {
  readonly ids: Int32Array;
  /** Counts by id, if the collector has them in one array. */
  readonly counts?: Counts;
  count(id: number): number;
  key(id: number): string | number | bigint;
  /** Orders two buckets by key. */
  compareKeys(a: number, b: number): number;
}

/** Compares two keys of any type, ascending. */
export function compareKeyValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTerms(a, b);
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
}

function candidateComparator(
  order: BucketOrder,
  candidates: TermsCandidates,
  node: AggregationNode,
  subs: SubAggregators,
  now: () => number,
): (a: number, b: number) => number {
  if (!ordersBySubs(order)) {
    return (a, b) => {
      for (const { by, ascending } of order) {
        const result = by === 'count' ? candidates.count(a) - candidates.count(b) : candidates.compareKeys(a, b);
        if (result !== 0) return ascending ? result : -result;
      }
      return 0;
    };
  }
  const buckets = new Map<number, ReducedBucket>();
  const bucketOf = (id: number): ReducedBucket => {
    let bucket = buckets.get(id);
    if (!bucket)
      buckets.set(
        id,
        (bucket = {
          key: id,
          keyText: '',
          docCount: candidates.count(id),
          subs: reduceSubsLocally(node.subs, subs.partialsNow(id), now),
          head: () => ({}),
        }),
      );
    return bucket;
  };
  const compare = bucketComparator(order, (a, b) => candidates.compareKeys(a.key as number, b.key as number));
  return (a, b) => compare(bucketOf(a), bucketOf(b));
}

/**
 * Drops candidates that cannot be among the first `limit`. If the order is by descending count, those are all below the
 * `limit`-th largest count.
 */
function promising(ids: Int32Array, counts: Float64Array, order: BucketOrder, limit: number): Int32Array {
  const first = order[0]!;
  if (first.by !== 'count' || first.ascending) return ids;
  const least = nthLargest(counts.slice(), counts.length, limit);
  const kept = new Int32Array(ids.length);
  let size = 0;
  for (let i = 0; i < ids.length; i++) if (counts[i]! >= least) kept[size++] = ids[i]!;
  return kept.subarray(0, size);
}

/** Counts below this value are sorted with a histogram of counts, in one pass. */
const SMALL_COUNTS = 1024;

const NO_COUNTS = new Int32Array(0);

/** Returns the sum of all counts, and the candidates that can be among the first `limit`. */
function survey(
  candidates: TermsCandidates,
  order: BucketOrder,
  limit: number,
  scratch: Scratch | undefined,
): { total: number; best: Int32Array } {
  const { ids, counts } = candidates;
  const first = order[0]!;
  if (!counts) {
    const all = mapIdsToNumbers(ids, (id) => candidates.count(id));
    return {
      total: all.reduce((sum, count) => sum + count, 0),
      best: ids.length > limit ? promising(ids, all, order, limit) : ids,
    };
  }
  if (ids.length <= limit || first.by !== 'count' || first.ascending) return { total: totalOf(ids, counts), best: ids };
  const histogram = growInts(NO_COUNTS, SMALL_COUNTS, 0, scratch).subarray(0, SMALL_COUNTS);
  const total = sumCounts(ids, counts, histogram);
  let least = SMALL_COUNTS - 1;
  for (let more = histogram[least]!; more < limit && least > 0; more += histogram[least]!) least--;
  const best = idsFrom(ids, counts, least);
  return {
    total,
    best:
      least < SMALL_COUNTS - 1
        ? best
        : promising(
            best,
            mapIdsToNumbers(best, (id) => counts[id]!),
            order,
            limit,
          ),
  };
}

/** Makes the partial result of one parent bucket: its first `limit` buckets in order, with their sub-aggregations. */
export function termsPartial(
  kind: TermsKind,
  format: FormatSpec,
  candidates: TermsCandidates,
  order: BucketOrder,
  limit: number,
  site: BuildSite,
  subs: SubAggregators,
): TermsPartial {
  const { ids } = candidates;
  const { node, context } = site;
  const cut = ids.length > limit;
  const { total, best } = survey(candidates, order, limit, context.scratch);
  const chosen = cut ? selectTop(best, limit, candidateComparator(order, candidates, node, subs, context.now)) : ids;
  const counts = new Float64Array(chosen.length);
  const keys: (string | number | bigint)[] = [];
  let shown = 0;
  for (let i = 0; i < chosen.length; i++) {
    shown += counts[i] = candidates.count(chosen[i]!);
    keys.push(candidates.key(chosen[i]!));
  }
  return {
    t: kind,
    f: format,
    k: keys,
    c: counts,
    s: subs.size > 0 ? mapIds(chosen, (id) => subs.partials(id)) : null,
    o: total - shown,
    cut: cut && !(context.isOnlyShard ?? false),
  };
}

/** A term merged over all shards, before its sub-aggregations are reduced. */
export interface MergedTerm {
  readonly key: string | number | bigint;
  count: number;
  /** Sum of the error bounds of the shards that returned the term; `mergeTerms` computes them. */
  seenError: number;
  readonly subs: (readonly Value[])[];
}

/** Terms merged over all shards, with error bound and other count. */
export interface MergedTerms {
  readonly terms: MergedTerm[];
  readonly kind: TermsKind;
  /** Sum of the error bounds of all shards: the most documents that a count may lack. */
  readonly error: number;
  readonly others: number;
  readonly anyCut: boolean;
}

const kindOf = (partials: readonly TermsPartial[]): TermsKind => {
  const kinds = new Set(partials.filter((p) => p.k.length > 0).map((p) => p.t));
  if (kinds.size === 0) return partials[0]?.t ?? 's';
  if (kinds.has('s')) return 's';
  return kinds.size > 1 ? 'd' : [...kinds][0]!;
};

/**
 * Merges the terms of shards. A shard that left out buckets may have as many documents of a term that it did not return
 * as its last bucket has: that is its error bound.
 */
export function mergeTerms(partials: readonly TermsPartial[]): MergedTerms {
  const merged = new Map<string | number | bigint, MergedTerm>();
  const kind = kindOf(partials);
  let [error, others, anyCut] = [0, 0, false];
  for (const partial of partials) {
    const lost = partial.cut ? Math.min(...(partial.c.length > 0 ? [partial.c[partial.c.length - 1]!] : [0])) : 0;
    error += lost;
    others += partial.o;
    anyCut ||= partial.cut;
    for (let i = 0; i < partial.k.length; i++) addTerm(merged, partial, i, lost, kind);
  }
  return { terms: [...merged.values()], kind, error, others, anyCut };
}

function addTerm(
  merged: Map<string | number | bigint, MergedTerm>,
  partial: TermsPartial,
  i: number,
  lost: number,
  kind: TermsKind,
): void {
  const raw = partial.k[i]!;
  const key =
    kind === 's' && typeof raw !== 'string' ? String(raw) : kind === 'd' && typeof raw === 'bigint' ? Number(raw) : raw;
  let term = merged.get(key);
  if (!term) merged.set(key, (term = { key, count: 0, seenError: 0, subs: [] }));
  term.count += partial.c[i]!;
  term.seenError += lost;
  if (partial.s) term.subs.push(partial.s[i]!);
}

/** Reduces the sub-aggregations of a term; an empty map if there are none. */
export function reduceTermSubs(term: MergedTerm, site: ReduceSite): ReturnType<ReduceSite['subs']> {
  return site.node.subs.length > 0 ? site.subs(term.subs) : new Map();
}
