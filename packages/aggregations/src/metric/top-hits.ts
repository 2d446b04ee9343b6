import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { JsonText, floatNumber } from '@shoal/json';
import {
  bindSort,
  compareSortValues,
  type HitsRequest,
  isByScore,
  parseHitsRequest,
  scriptedTerms,
  type SortSpec,
} from '@shoal/query';
import type { AggregationNode, Aggregator, AggregationType, BuildSite, ParseSite } from '../aggregation-type.js';
import type { CollectContext } from '../collector.js';
import { numberOf, tokenName } from '../parse/body-fields.js';
import type { Reduced } from '../reduce/reduced.js';
import { TopHitsCollector } from './top-hits-collect.js';
import { NO_KIND } from '../source/value-kinds.js';
import { present } from '../reduce/present.js';

/** Keys of a search body that say what a hit shows; the fetch phase reads them. */
const FETCH_KEYS = new Set([
  '_source',
  'highlight',
  'explain',
  'docvalue_fields',
  'fields',
  'stored_fields',
  'version',
  'seq_no_primary_term',
  'script_fields',
]);
/** Keys whose values are neither objects nor lists. */
const SCALARS = new Set(['from', 'size', 'track_scores', 'version', 'explain', 'seq_no_primary_term']);
const OWN_KEYS = new Set(['from', 'size', 'sort', 'track_scores']);

interface TopHitsRequest {
  readonly from: number;
  readonly size: number;
  readonly sort: readonly SortSpec[];
  readonly trackScores: boolean;
  /** What each hit shows: source, fields, highlights. */
  readonly shown: HitsRequest;
}

type HitsPartial = {
  readonly t: number;
  readonly m: number;
  readonly v: readonly (readonly Value[])[];
  h: readonly Uint8Array[];
};

const BY_SCORE: readonly SortSpec[] = [{ kind: 'score', order: 'desc' }];

function whole(site: ParseSite, key: string, fallback: number): number {
  const value = site.body[key];
  if (value === undefined) return fallback;
  const number = Math.trunc(typeof value === 'string' ? numberOf(value) : Number(value));
  if (number >= 0) return number;
  throw errors.illegalArgument(`[${key}] must be greater than or equal to 0. Found [${number}] in [${site.name}]`);
}

/** Whether 8.12 knows a key with such a value: with null, or an object where a scalar belongs, it does not. */
const isKnown = (key: string, value: unknown): boolean =>
  (FETCH_KEYS.has(key) || OWN_KEYS.has(key)) && value !== null && (typeof value !== 'object' || !SCALARS.has(key));

function parseRequest(site: ParseSite): TopHitsRequest {
  const { body, context } = site;
  for (const key of Object.keys(body)) {
    if (isKnown(key, body[key])) continue;
    throw errors.parsing(`Unknown key for a ${tokenName(body[key])} in [${key}].`, {
      location: { container: body, key },
    });
  }
  const shown = parseHitsRequest(body, context);
  return {
    from: whole(site, 'from', 0),
    size: whole(site, 'size', 3),
    sort: shown.sort.length === 0 ? BY_SCORE : shown.sort,
    trackScores: body['track_scores'] === true,
    shown,
  };
}

function checkWindow(request: TopHitsRequest, node: AggregationNode, { searcher }: CollectContext): void {
  const limit = searcher.settings.maxInnerResultWindow;
  const window = request.from + request.size;
  if (window <= limit) return;
  throw errors.illegalArgument(
    `Top hits result window is too large, the top hits aggregator [${node.name}]'s from + size must be less ` +
      `than or equal to: [${limit}] but was [${window}]. This limit can be set by changing the ` +
      '[index.max_inner_result_window] index level setting.',
  );
}

const usesScores = (request: TopHitsRequest): boolean =>
  request.trackScores || request.sort.some((spec) => spec.kind === 'score');

function collector(request: TopHitsRequest, build: BuildSite): Aggregator<HitsPartial> {
  if (request.from + request.size === 0)
    throw errors.illegalArgument(
      'numHits must be > 0; please use TotalHitCountCollector if you just need the total hit count',
    );
  const top = new TopHitsCollector(build, request.sort, request.from + request.size);
  const isSorted = !isByScore(request.sort);
  return {
    segment: (view) => top.segment(view),
    reserve: (buckets) => top.reserve(buckets),
    collect: (docs, buckets, count, scores) => top.collect(docs, buckets, count, scores),
    partial(bucket) {
      const { total, maxScore, hits } = top.hits(bucket);
      const partial: HitsPartial = { t: total, m: maxScore, v: hits.map((hit) => hit.values), h: [] };
      if (hits.length === 0) return partial;
      const docs = Int32Array.from(hits, (hit) => hit.doc);
      const scores = usesScores(request) ? Float32Array.from(hits, (hit) => hit.score) : null;
      const fetched = build.context.fetch(docs, scores, isSorted ? partial.v : null, request.shown, build.nestedPath);
      if (Array.isArray(fetched)) partial.h = fetched;
      else build.defer(fetched.then((rendered) => void (partial.h = rendered)));
      return partial;
    },
  };
}

function reduce(request: TopHitsRequest, partials: readonly (HitsPartial | null)[]): Reduced {
  const own = present(partials);
  const all = own.flatMap((partial) => partial.h.map((hit, i) => ({ hit, values: partial.v[i]! })));
  const page = all
    .sort((a, b) => compareSortValues(request.sort, a.values, b.values))
    .slice(request.from, request.from + request.size);
  const maxScore = Math.max(...own.map((p) => p.m));
  const hits = {
    total: { value: own.reduce((sum, p) => sum + p.t, 0), relation: 'eq' },
    max_score: usesScores(request) && Number.isFinite(maxScore) ? floatNumber(maxScore) : null,
    hits: page.map(({ hit }) => new JsonText(Buffer.from(hit).toString())),
  };
  return { typedName: 'top_hits', buckets: null, render: () => ({ hits }) };
}

/** `top_hits`: the best documents of a bucket, shown as search hits. */
export const topHits: AggregationType<HitsPartial> = {
  name: 'top_hits',
  valueKinds: NO_KIND,
  prints: 'whole',
  parse(site) {
    const request = parseRequest(site);
    site.scripted.push(...scriptedTerms(request.sort));
    return {
      acceptsSubs: false,
      shape: 'metric',
      needsScores: usesScores(request),
      check(node, context, nestedPath) {
        checkWindow(request, node, context);
        bindSort(request.sort, { searcher: context.searcher, now: context.now, nestedPath, innerHits: [] });
      },
      collector: (build) => collector(request, build),
      reduce: (partials) => reduce(request, partials),
    };
  },
};
