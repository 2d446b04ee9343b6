import { type JsonObject, parseSource } from '@shoal/json';
import { explainPlan } from '../explain.js';
import { documentHighlighter, type HighlightContext } from '../highlight/document-highlighter.js';
import { type HighlightField, parseHighlight } from '../highlight/highlight-spec.js';
import type { ParseContext, ParsedQuery, PlanContext } from '../parsed-query.js';
import { percolatedHighlighter } from '../percolate/percolated-highlights.js';
import { percolatesIn } from '../percolate/percolated-hits.js';
import type { Plan } from '../plan.js';
import { planQuery } from '../plan-query.js';
import { PlanSteps } from '../plan-steps.js';
import type { GlobalStatistics } from '../execute/statistics.js';
import { explainRescored, type Rescore } from '../rescore.js';
import { pausesOf, type Progress, type Searcher } from '../searcher.js';
import { parseSort } from '../sort/parse-sort.js';
import type { SortSpec } from '../sort/sort-spec.js';
import { NestedPlaces } from './nested-identity.js';
import { type FetchedDoc, type HitPlan, renderHits, segmentOf } from './render-hits.js';
import { sortNumbers, sortText } from './sort-text.js';
import { checkStoredFields, type FetchSpec, parseFetchSpec } from './fetch-spec.js';
import { innerHits, type InnerHitsContext } from './inner-hits.js';
import { innerSort } from './inner-sort.js';

/** Inputs of the fetch phase, from a search or from a `top_hits` aggregation. */
export interface HitsRequest {
  /** The query whose matches the hits are, for highlighting, inner hits and explanations; null for all documents. */
  readonly query: ParsedQuery | null;
  /** The sort of the hits: decides how their sort values print. */
  readonly sort: readonly SortSpec[];
  readonly fetch: FetchSpec;
  readonly highlight: readonly HighlightField[] | null;
  readonly rescore: readonly Rescore[];
  /** Set if the hits are the best of groups. */
  readonly collapse?: object | null;
  /** For its named queries; absent or null for none. */
  readonly postFilter?: ParsedQuery | null;
  /** Filter of the alias that the search goes through, for explanations and nearest vectors; null for none. */
  readonly aliasFilter?: ParsedQuery | null;
  /** How many of its best documents each `knn` of the body keeps on this shard; absent: as many as it asks for. */
  readonly nearestKept?: readonly number[] | null;
  /** Statistics of all shards, by which explanations score; absent or null for those of the shard. */
  readonly statistics?: GlobalStatistics | null;
}

/**
 * Parses a body that only shows hits, such as `top_hits`. Its `query` is null, because its hits match the surrounding
 * search.
 */
export function parseHitsRequest(body: JsonObject, context: ParseContext): HitsRequest {
  const highlight = body['highlight'];
  return {
    query: null,
    sort: parseSort(body['sort'], context),
    fetch: parseFetchSpec(body),
    highlight: highlight === undefined ? null : parseHighlight(highlight, body, context),
    rescore: [],
  };
}

/** What the fetch options of a hit may depend on, besides the searcher. */
interface FetchContext {
  readonly now: () => number;
  readonly parse: ParseContext;
  readonly progress: Progress;
  readonly withType?: boolean;
  readonly showsQueryScores?: boolean;
  readonly showsLookups?: boolean;
}

/** Hits that a query phase selected, in the order of the answer. */
interface SelectedHits {
  /** Document numbers in the searcher. */
  readonly docs: Int32Array;
  /** Scores of `docs`; empty when not scored. */
  readonly scores: Float32Array;
  /** Sort values of each document; null without a sort. */
  readonly sortValues: readonly (readonly unknown[])[] | null;
  /** Path of the nested objects that the hits are; null for documents. */
  readonly nestedPath: string | null;
}

/**
 * Renders the selected hits as JSON, in their order. Throws for options that the searcher's index does not allow, and
 * task_cancelled_exception when the caller is gone.
 */
export async function fetchHits(
  searcher: Searcher,
  request: HitsRequest,
  hits: SelectedHits,
  context: FetchContext,
): Promise<Uint8Array[]> {
  const pause = pausesOf(context.progress);
  const collected = pause();
  if (collected !== null) await collected;
  const { aliasFilter = null, nearestKept = null } = request;
  const steps = new PlanSteps(pause);
  const { now } = context;
  const planContext = { searcher, now, nestedPath: null, aliasFilter, nearestKept, innerHits: [], steps };
  const binding = steps.run(planContext, () => bindHits(request, planContext, hits.nestedPath, context));
  const plan = binding instanceof Promise ? await binding : binding;
  const bound = pause();
  if (bound !== null) await bound;
  return renderHits(searcher, plan, fetchedDocs(request, hits, searcher), context.progress);
}

/** Groups that are sorted by their scores alone, in either order, show no sort values, as in 8.12. */
const hidesSort = ({ sort, collapse = null }: HitsRequest): boolean =>
  collapse !== null && sort.length === 1 && sort[0]!.kind === 'score';

function fetchedDocs(request: HitsRequest, hits: SelectedHits, searcher: Searcher): FetchedDoc[] {
  const { docs, scores, nestedPath } = hits;
  const { sort } = request;
  const sortValues = hidesSort(request) ? null : hits.sortValues;
  const numbers = sortNumbers(sort, searcher.mapping);
  const places = nestedPath === null ? null : new NestedPlaces(searcher.mapping);
  return Array.from(docs, (doc, i): FetchedDoc => {
    const score = scores.length === 0 ? null : scores[i]!;
    const values = sortValues?.[i];
    return {
      doc,
      score: score === null || Number.isNaN(score) ? null : score,
      sort: values ? sortText(values, numbers) : null,
      ...(places === null ? {} : nestedHit(searcher, doc, nestedPath!, places)),
    };
  });
}

/** The place of a nested object and its root document. */
function nestedHit(
  searcher: Searcher,
  doc: number,
  path: string,
  places: NestedPlaces,
): Pick<FetchedDoc, 'nested' | 'root'> {
  const segment = segmentOf(searcher, doc);
  const own = doc - segment.docBase;
  const document = searcher.stored(segment.docBase + segment.reader.roots!.next(own));
  const source = document.source.length === 0 ? {} : parseSource(document.source);
  return { nested: places.identity(segment, own, path), root: { document, source } };
}

/** Binds the fetch options of a search to one searcher. */
function bindHits(
  request: HitsRequest,
  planContext: PlanContext,
  nestedPath: string | null,
  options: FetchContext,
): HitPlan {
  const { searcher, now, aliasFilter = null, nearestKept = null, innerHits: requests } = planContext;
  const { parse, progress } = options;
  const { query } = request;
  // Nested objects have no sequence numbers: none are shown.
  const spec = nestedPath === null ? request.fetch : { ...request.fetch, seqNoPrimaryTerm: false };
  const pause = pausesOf(progress);
  const plan = query && planQuery(query, planContext);
  checkStoredFields(spec);
  const otherContext = { ...planContext, innerHits: [] };
  const context: InnerHitsContext = {
    searcher,
    now,
    progress,
    aliasFilter,
    nearestKept,
    highlight: (given, inner, path) =>
      documentHighlighter(parseHighlight(given, {}, parse), inner, searcher, { now, nestedPath: path, pause }),
    sort: (given, path) => innerSort(given, path, searcher, now, parse),
    explain: (inner) => (doc) => explainPlan(inner, searcher, doc, request.statistics),
  };
  const shown = plan ?? ({ kind: 'all', boost: 1 } as const);
  return {
    spec,
    plans: [...(plan ? [plan] : []), ...otherQueries(request).map((one) => planQuery(one, otherContext))],
    nestedPath,
    withType: options.withType ?? false,
    showsQueryScores: options.showsQueryScores ?? false,
    showsLookups: options.showsLookups ?? false,
    highlight: request.highlight && highlighter(request.highlight, shown, searcher, { now, nestedPath, pause }),
    percolates: plan === null || nestedPath !== null ? [] : percolatesIn(plan),
    explain: spec.explain ? explainer(request, shown, otherContext) : null,
    innerHits: nestedPath === null ? innerHits(requests, null, context) : null,
  };
}

function highlighter(
  asked: readonly HighlightField[],
  plan: Plan,
  searcher: Searcher,
  context: HighlightContext,
): HitPlan['highlight'] {
  const own = documentHighlighter(asked, plan, searcher, context);
  const percolates = percolatesIn(plan);
  return percolates.length === 0 ? own : percolatedHighlighter(asked, percolates, context, own);
}

/** Returns what explains the hits of a search, with the filter of its alias. */
function explainer(
  { rescore, aliasFilter = null, statistics = null }: HitsRequest,
  plan: Plan,
  context: PlanContext,
): HitPlan['explain'] {
  const filter = aliasFilter && planQuery(aliasFilter, context);
  return (doc, score) => explainRescored({ plan, filter, rescore, statistics }, context, doc, score);
}

/** Returns the queries beside that of the hits whose names are shown when they match. */
const otherQueries = ({ postFilter, rescore }: HitsRequest): ParsedQuery[] => [
  ...(postFilter ? [postFilter] : []),
  ...rescore.flatMap((pass) => (pass.kind === 'query' ? [pass.query] : [])),
];
