import { errors } from '@shoal/errors';
import { formatDouble } from '@shoal/values';
import type { AggregationNode, Aggregator, AggregationType, BuildSite, ReduceSite } from '../aggregation-type.js';
import { bucketComparator, ordersBySubs, validateOrder } from '../reduce/order.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { doubleNumber } from '@shoal/json';
import { type Formatter, formatIn, type FormatSpec, termKeyText, termJson, keyPath } from '../source/format.js';
import { resolveField } from '../source/values-source.js';
import { NumberTerms } from './number-terms.js';
import { OrdinalTerms } from './ordinal-terms.js';
import type { TermsOptions } from './terms-collect.js';
import {
  compareKeyValues,
  mergeTerms,
  type MergedTerm,
  type MergedTerms,
  reduceTermSubs,
  type TermsKind,
  type TermsPartial,
  termsPartial,
} from './terms-partial.js';
import { parseTerms, shardLimit, type TermsRequest } from './terms-request.js';
import { plannedTerms } from './planned-terms.js';
import { unmappedTerms } from './unmapped.js';
import { TERM_KINDS } from '../source/value-kinds.js';
import { present } from '../reduce/present.js';

function collector(request: TermsRequest, site: BuildSite): Aggregator<TermsPartial> {
  const field = resolveField(site.context, request.source.field, 'terms', 'terms');
  const limit = shardLimit(request, site.node, site.context.isOnlyShard ?? false);
  const options: TermsOptions<TermsPartial> = {
    filter: request.filter,
    missing: request.source.missing,
    format: request.source.format,
    timeZone: null,
    withEmpty: request.minDocCount === 0,
    minCount: request.shardMinDocCount,
    deferred: request.isMap ? (request.isDepthFirst ? [] : site.node.subs.map((sub) => sub.name)) : null,
    finish: (kind, format, candidates, subs) =>
      termsPartial(kind, format, candidates, request.order, limit, site, subs),
  };
  if (request.source.field === '_index')
    return unmappedTerms(site, { ...options, missing: site.context.searcher.index });
  if (!field) return unmappedTerms(site, options, request.source.valueType);
  if (field.column === 'ordinals') checkHint(request.hint);
  return field.column === 'ordinals'
    ? new OrdinalTerms(site, field, options)
    : (plannedTerms(site, field, options) ?? new NumberTerms(site, field, options));
}

/** Refuses an unknown `execution_hint`, which terms that are not numbers look at. */
function checkHint(hint: string | null): void {
  if (hint === null || hint === 'map' || hint === 'global_ordinals') return;
  throw errors.illegalArgument(`Unknown \`execution_hint\`: [${hint}], expected any of [map, global_ordinals]`);
}

/** A bucket of the answer, with the error bound of its count. */
export interface TermBucket extends ReducedBucket {
  readonly error: number;
}

function keyJson(key: string | number | bigint, spec: FormatSpec, kind: TermsKind): unknown {
  if (typeof key === 'string') return termJson(spec, key);
  return kind === 'd' && spec.k === 'unsigned' ? doubleNumber(Number(key)) : key;
}

function termBucket(
  term: MergedTerm,
  merged: MergedTerms,
  formatter: Formatter,
  showError: boolean,
  site: ReduceSite,
): TermBucket {
  const error = merged.error - term.seenError;
  const json = keyJson(term.key, formatter.spec, merged.kind);
  const text = termKeyText(term.key, formatter);
  const bucket: TermBucket = {
    key: term.key,
    keyText: text ?? (merged.kind === 'd' && typeof json === 'number' ? formatDouble(json) : keyPath(json)),
    docCount: term.count,
    subs: reduceTermSubs(term, site),
    error,
    head: () => ({
      key: merged.kind === 'd' && typeof json === 'number' ? doubleNumber(json) : json,
      ...(text === null ? {} : { key_as_string: text }),
      doc_count: bucket.docCount,
      ...(showError ? { doc_count_error_upper_bound: error } : {}),
    }),
  };
  return bucket;
}

const TYPED: Readonly<Record<TermsKind, string>> = { s: 'sterms', l: 'lterms', u: 'lterms', d: 'dterms' };

/**
 * The error bound that the answer shows: -1 (unknown) if a shard left out buckets in an order that is not by descending
 * count.
 */
function errorBound(request: TermsRequest, merged: MergedTerms, shards: number): number {
  const first = request.order[0]!;
  if (!merged.anyCut || first.by === 'key') return 0;
  return first.by === 'count' && !first.ascending ? (shards === 1 ? 0 : merged.error) : -1;
}

type Full = (term: MergedTerm) => TermBucket;
type Compare = (a: ReducedBucket, b: ReducedBucket) => number;

/** Returns the best `size` terms. Only for these are sub-aggregations reduced. */
function topBuckets(eligible: readonly MergedTerm[], compare: Compare, size: number, full: Full): TermBucket[] {
  const light = (term: MergedTerm): ReducedBucket & { term: MergedTerm } => ({
    key: term.key,
    keyText: '',
    docCount: term.count,
    subs: new Map(),
    head: () => ({}),
    term,
  });
  return eligible
    .map(light)
    .sort(compare)
    .slice(0, size)
    .map((bucket) => full(bucket.term));
}

function reduce(request: TermsRequest, partials: readonly (TermsPartial | null)[], site: ReduceSite): Reduced {
  const own = present(partials);
  const merged = mergeTerms(own);
  const formatter = formatIn(own);
  const full: Full = (term) => termBucket(term, merged, formatter, request.showError, site);
  const eligible = merged.terms.filter((term) => term.count >= request.minDocCount);
  const total = eligible.reduce((sum, { count }) => sum + count, 0);
  const compare = bucketComparator(request.order, (a, b) => compareKeyValues(a.key, b.key));
  const head = { doc_count_error_upper_bound: errorBound(request, merged, own.length), sum_other_doc_count: 0 };
  const show = (buckets: readonly ReducedBucket[]): void => {
    site.addBuckets(buckets.length);
    head.sum_other_doc_count = merged.others + total - buckets.reduce((sum, { docCount }) => sum + docCount, 0);
  };
  const hasLateOrder = ordersBySubs(request.order);
  const buckets = hasLateOrder ? eligible.map(full) : topBuckets(eligible, compare, request.size, full);
  if (hasLateOrder)
    site.settled(() => {
      buckets.sort(compare).splice(request.size);
      show(buckets);
    });
  else show(buckets);
  return {
    typedName: TYPED[merged.kind],
    buckets,
    render(render) {
      return { ...head, buckets: render.list(this.buckets!) };
    },
  };
}

/** Refuses minimal counts below a random sampler, which would count documents of the sample. */
function checkSampled({ minDocCount, shardMinDocCount }: TermsRequest, { name, parent }: AggregationNode): void {
  if (minDocCount <= 1 && shardMinDocCount <= 1) return;
  for (let around = parent; around !== null; around = around.parent)
    if (around.type === 'random_sampler')
      throw errors.status(
        `aggregation [${name}] is within a sampling context; min_doc_count, provided [${minDocCount}], and ` +
          `min_shard_doc_count, provided [${shardMinDocCount}], cannot be greater than 1`,
      );
}

/**
 * `terms`: one bucket for each term of a field, most frequent first by default. Counts are exact while a shard has at
 * most as many terms as `shardLimit` lets it return.
 */
export const terms: AggregationType<TermsPartial> = {
  name: 'terms',
  valueKinds: TERM_KINDS,
  parse(site) {
    const request = parseTerms(site);
    return {
      acceptsSubs: true,
      needsAllShards: request.minDocCount === 0,
      shape: 'multi',
      reads: [{ source: request.source, kind: 'terms' }],
      checkPlace: (node) => checkSampled(request, node),
      collector(build) {
        validateOrder(request.order, build.node);
        return collector(request, build);
      },
      reduce: (partials, reduceSite) => reduce(request, partials, reduceSite),
    };
  },
};
