import { createShardCollector, type Search, type ShardCollector } from '@shoal/aggregations';
import { encodeValue, type Value } from '@shoal/codec';
import type { shard } from '@shoal/protocol';
import {
  type PageStart,
  bindSort,
  checkInnerHits,
  createWeight,
  isSlowPerDocument,
  decodeStatistics,
  type GlobalStatistics,
  innerSort,
  type InnerSort,
  parseContext,
  type Plan,
  type ParsedQuery,
  type PlanContext,
  type Pause,
  pausesOf,
  type Preparation,
  planQuery,
  planWithin,
  planSearch,
  PlanSteps,
  checkStoredFields,
  checkSuggestions,
  runSuggest,
  type Progress,
  requestScratch,
  type Scratch,
  type Searcher,
  type SlowPart,
  type SortKey,
  type TopDocs,
  type Weight,
} from '@shoal/query';
import { WINDOW_DOCS } from '@shoal/segments';
import type { SearcherLease } from '../shard-api.js';
import { collapseColumn, collapseHits, mayHaveSeveral } from './collapse.js';
import { collectGlobals, collectMatches, type Pass, type PassResult } from './collect-matches.js';
import { withFieldUses } from '../read/counted-searcher.js';
import { aliasFilterOf, fetchDocuments } from './fetch-phase.js';
import { GroupWalk, type MakeHits, SeveralFinder } from './group-walk.js';
import { type HitCollector, scoreCollector, sortCollector } from './hit-collector.js';
import { pageStartOf } from './page-start.js';
import { profileOf } from './profile.js';
import { applyRescore, planRescore, type RescorePass, rescoreWindow } from './rescore.js';
import { RequestTime } from './request-time.js';
import { checkCollapse, checkLimits, checkSlice } from './search-limits.js';
import { columnSearcher, compileRuntimeFields, runtimeSearcher } from './runtime-searcher.js';
import type { SearchSource } from './search-source.js';
import { knownTotal } from './total-hits.js';

/** A body longer than this may ask for much work with each document: thousands of clauses, filters or aggregations. */
const BODY_BYTES_LONG = 8192;

/** A search on one shard, as far as aggregations are built with it. */
interface PlannedSearch {
  readonly searcher: Searcher;
  readonly body: Search;
  readonly options: shard.SearchOptions;
  readonly target: shard.ShardTarget;
  /** Null on later pages of a scroll, which show neither aggregations nor suggestions. */
  readonly aggregations: Search['aggregations'];
  readonly suggest: Search['suggest'];
  readonly context: PlanContext;
  readonly plan: Plan;
  readonly postFilter: Plan | null;
  readonly statistics: GlobalStatistics | null;
  readonly keys: readonly SortKey[];
  readonly progress: Progress;
  readonly scratch: Scratch;
  /** Work on a segment before the matcher of the query is made; known once its weight is. */
  readonly slowParts: SlowPart[];
  /** Work on all segments before the first matcher is made; known once the weight of the query is. */
  readonly preparations: Preparation[];
  /** Whether a document may take long to match, to score or to aggregate. */
  readonly isSlow: boolean;
}

/** What 8.12 builds behind aggregations. */
interface LaterParts {
  readonly rescore: readonly RescorePass[];
  readonly after: PageStart | null;
  /** The field by whose values hits are grouped; null if they are not. */
  readonly collapse: string | null;
}

/** A search on one shard, parsed and planned. */
type ShardSearch = PlannedSearch & LaterParts;

/**
 * Runs the query phase of a search on one shard: matches, totals, best hits, aggregations. With `fetch`, the hits of
 * the page are rendered at once. Yields the thread between windows.
 */
export async function executeQueryPhase(
  lease: SearcherLease,
  target: shard.ShardTarget,
  request: shard.QueryRequest,
  progress: Progress,
  source: SearchSource,
  time: RequestTime = new RequestTime(request.nowMs),
): Promise<shard.ShardQueryResult> {
  return withFieldUses(lease, source.search, (counted) =>
    runQueryPhase(counted, target, request, progress, source, time),
  );
}

async function runQueryPhase(
  lease: SearcherLease,
  target: shard.ShardTarget,
  request: shard.QueryRequest,
  progress: Progress,
  source: SearchSource,
  time: RequestTime,
): Promise<shard.ShardQueryResult> {
  progress.check();
  const planOn = (on: Searcher): Plan => planOf(source, target, contextOf(on, source, target, time));
  if (source.search.runtimeMappings !== null) await compileRuntimeFields(lease.searcher, source.search, progress);
  const own = runtimeSearcher(lease.searcher, source.search);
  // Waiting where nothing is read takes turns of the queue of promises.
  const searcher = own.mapping.runtime.size === 0 ? own : await columnSearcher(own, source.search, planOn, progress);
  const steps = new PlanSteps(pausesOf(progress));
  const context: PlanContext = { ...contextOf(searcher, source, target, time), steps };
  // Parts that 8.12 builds first are built first, and so fail first.
  const planning = steps.run(context, () => planParts(context, target, request, progress, source));
  const planned = planning instanceof Promise ? await planning : planning;
  // Thousands of clauses take as long to plan as to prepare.
  const pause: Pause = planned.isSlow ? pausesOf(progress) : () => null;
  const made = pause();
  if (made !== null) await made;
  const aggregations = aggregator(planned, request.fetch);
  const later = steps.run(context, () => planLaterParts(planned, request.targets.indexOf(target)));
  const search: ShardSearch = { ...planned, ...(later instanceof Promise ? await later : later) };
  const weight = weightOf(search);
  // Those of filters of aggregations among them, which may look for nearest vectors, too.
  if (search.preparations.length > 0) await prepareWeights(search);
  const weighed = pause();
  if (weighed !== null) await weighed;
  const total = knownTotal(search.searcher, search.body, search.plan, weight);
  const collected = await collect(search, weight, aggregations, total);
  const page = pageOf(search, collected.top);
  const result = answer(search, collected, page, total);
  if (aggregations !== null) result.aggregations = await aggregations.partial();
  search.scratch.release();
  if (search.suggest !== null) result.suggest = await suggestions(search, search.suggest);
  if (search.body.profile)
    result.profile = profileOf(search.searcher, search.plan, progress, aggregations?.profile() ?? []);
  if (request.fetch && search.options.size > 0) result.hits = await fetchPage(search, page, progress);
  // Like the time, what scripts make of it or of chance must not be answered to later requests.
  if (searcher.runtime?.isUnrepeatable === true) time.now();
  return result;
}

async function suggestions(
  { searcher, body, options, context: { now }, progress }: ShardSearch,
  suggest: NonNullable<Search['suggest']>,
): Promise<Uint8Array> {
  const hits = { shown: body, options, now, sortValues: null, nestedPath: null };
  const context = {
    searcher,
    showHits: (docs: Int32Array, scores: Float32Array) => fetchDocuments(searcher, { ...hits, docs, scores }, progress),
    pause: pausesOf(progress),
  };
  return encodeValue((await runSuggest(suggest, context)) as unknown as Value);
}

function planParts(
  context: PlanContext,
  target: shard.ShardTarget,
  request: shard.QueryRequest,
  progress: Progress,
  source: SearchSource,
): PlannedSearch {
  const { search: body, options } = source;
  const { searcher } = context;
  const isLaterPage = options.after.length > 0;
  const plan = planOf(source, target, context);
  const postFilter = body.postFilter === null ? null : planQuery(body.postFilter, context);
  if (context.innerHits.length > 0) checkPlannedInnerHits(context);
  const keys = bindSort(body.hitSort, context, target.position);
  return {
    searcher,
    target,
    body,
    options,
    aggregations: isLaterPage ? null : body.aggregations,
    suggest: isLaterPage ? null : body.suggest,
    context,
    plan,
    postFilter,
    statistics: request.statistics === undefined ? null : decodeStatistics(request.statistics),
    keys,
    progress,
    scratch: requestScratch(searcher.cache),
    slowParts: [],
    preparations: [],
    isSlow:
      request.body.length > BODY_BYTES_LONG ||
      isSlowPerDocument(plan) ||
      body.aggregations?.isSlow === true ||
      runsScripts(keys),
  };
}

/** Plans and checks what is built behind aggregations. `place` is that of the shard in the request. */
function planLaterParts({ body, suggest, context, options, keys, searcher }: PlannedSearch, place: number): LaterParts {
  if (suggest !== null) checkSuggestions(suggest, searcher);
  const rescore = planRescore(body.rescore, context);
  // Queries of highlights are planned again where hits are shown; their errors belong to this phase.
  for (const { options: shown } of body.highlight ?? [])
    if (shown.highlightQuery !== null) planWithin(shown.highlightQuery, { ...context, innerHits: [] });
  const after = pageStartOf(body, options, keys, place);
  checkSlice(body, options);
  checkStoredFields(body.fetch);
  if (body.collapse !== null) checkCollapse(body, body.collapse.field, options);
  const collapse = body.collapse === null ? null : collapseColumn(body.collapse, searcher);
  checkLimits(body, options, searcher.settings);
  return { rescore, after, collapse };
}

function checkPlannedInnerHits(context: PlanContext): void {
  const { searcher, now, innerHits } = context;
  const sort = (body: unknown, path: string | null): InnerSort | null =>
    innerSort(body, path, searcher, now, parseContext());
  checkInnerHits(innerHits, { ...context, sort });
}

/** Returns the plan of a search without a query: all documents, but none if the search asks for suggestions only. */
function planWithoutQuery(body: Search, isLaterPage: boolean): Plan {
  return !isLaterPage && body.suggest !== null && body.aggregations === null
    ? { kind: 'none', reason: 'suggestions only' }
    : { kind: 'all', boost: 1 };
}

function contextOf(
  searcher: Searcher,
  { options }: SearchSource,
  target: shard.ShardTarget,
  { now }: RequestTime,
): PlanContext {
  const { allowExpensiveQueries } = options;
  const nearestKept = target.nearest?.counts ?? null;
  const aliasFilter = aliasFilterOf(target, options);
  return { searcher, now, nestedPath: null, innerHits: [], allowExpensiveQueries, aliasFilter, nearestKept };
}

function planOf({ search: body, options }: SearchSource, target: shard.ShardTarget, context: PlanContext): Plan {
  const isLaterPage = options.after.length > 0;
  const query: Plan = body.query === null ? planWithoutQuery(body, isLaterPage) : planQuery(body.query, context);
  return planSearch(query, { filter: context.aliasFilter ?? null, slice: body.slice, boost: target.boost }, context);
}

function backgroundWeight(
  query: ParsedQuery | null,
  filter: ParsedQuery | null,
  searcher: Searcher,
  context: PlanContext,
): Weight | null {
  if (query === null && filter === null) return null;
  const plan: Plan = query === null ? { kind: 'all', boost: 1 } : planQuery(query, context);
  return createWeight(planSearch(plan, { filter, slice: null, boost: 1 }, context), searcher, { needsScores: false });
}

function isScored({ body, options, keys, aggregations }: PlannedSearch): boolean {
  const hitsNeedScores =
    options.shardSize > 0 &&
    (keys.length === 0 || body.tracksScores || body.rescore.length > 0 || keys.some((key) => key.needsScores));
  return hitsNeedScores || body.minScore !== null || aggregations?.needsScores === true;
}

function weightOf(search: ShardSearch): Weight {
  return createWeight(search.plan, search.searcher, {
    needsScores: isScored(search),
    statistics: search.statistics,
    scratch: search.scratch,
    slowParts: search.slowParts,
    preparations: search.preparations,
  });
}

/**
 * Documents of a window whose aggregations run scripts: those that the page of a composite leaves out cost nothing, and
 * hundreds that follow may take milliseconds each.
 */
const SCRIPTED_DOCS = 16;

/** Does what weights need all segments for, with pauses. */
async function prepareWeights({ preparations, progress }: ShardSearch): Promise<void> {
  const pause = pausesOf(progress);
  const charge = (bytes: number): void => progress.charge?.(bytes);
  for (const step of preparations) {
    while (step(charge)) {
      const wait = pause();
      if (wait !== null) await wait;
    }
  }
}

function aggregator(
  { body, target, aggregations, searcher, context, options, progress, scratch, preparations }: PlannedSearch,
  isOnlyShard: boolean,
): ShardCollector | null {
  if (aggregations === null) return null;
  return createShardCollector(aggregations, {
    searcher,
    now: context.now,
    isOnlyShard,
    elapsedMs: body.profile ? () => progress.elapsedMs?.() ?? 0 : null,
    weight: (query, nestedPath) =>
      createWeight(planWithin(query, { ...context, nestedPath }), searcher, {
        needsScores: false,
        scratch,
        nestedPath,
        preparations,
      }),
    background: (query) => backgroundWeight(query, aliasFilterOf(target, context), searcher, context),
    fetch: (docs, scores, sortValues, request, nestedPath) =>
      fetchDocuments(
        searcher,
        {
          shown: { ...request, query: body.query },
          options,
          now: context.now,
          docs,
          scores: scores ?? new Float32Array(0),
          sortValues,
          nestedPath,
        },
        progress,
      ),
    pause: pausesOf(progress),
    charge: (bytes) => progress.charge?.(bytes),
    scratch,
  });
}

interface Collected {
  readonly pass: PassResult;
  readonly top: TopDocs;
  readonly collapseValues: readonly Value[] | null;
}

async function collect(
  search: ShardSearch,
  weight: Weight,
  aggregations: ShardCollector | null,
  total: number | null,
): Promise<Collected> {
  const { body, options, searcher } = search;
  const wanted = rescoreWindow(body.rescore, options.shardSize, searcher.settings.maxRescoreWindow);
  const size = Math.min(wanted, Math.max(1, searcher.maxDoc));
  if (search.collapse !== null) return collectGroups(search, weight, aggregations, total, size, search.collapse);
  const hits = hitsOf(search, options.shardSize === 0 ? 0 : size);
  const result = await runPass(search, weight, aggregations, hits, total);
  const top =
    body.rescore.length === 0
      ? hits.take()
      : await applyRescore(hits.take(), search.rescore, search, pausesOf(search.progress));
  return { pass: result, top, collapseValues: null };
}

const runsScripts = (keys: readonly SortKey[]): boolean => keys.some((key) => key.runsScripts === true);

function hitsOf({ keys, body, after, scratch }: ShardSearch, size: number): HitCollector {
  return keys.length === 0 ? scoreCollector(size, after) : sortCollector(keys, size, after, body.tracksScores, scratch);
}

/**
 * Number of hits that a group of a collapse is expected to have, and the factor for another pass if groups have more.
 */
const GROUP_HITS = 8;
const GROUP_GROWTH = 8;
/** Most hits that are kept and sorted together; where they have too few groups, all matches are walked in parts. */
const GROUP_HITS_MAX = 16_384;
/** Documents that a walk sorts at a time, besides the best of the groups, where a script makes their keys. */
const WALK_SCRIPTS = 64;

/** Collects more hits than groups are wanted, and repeats with more hits while they have too few groups. */
async function collectGroups(
  search: ShardSearch,
  weight: Weight,
  aggregations: ShardCollector | null,
  total: number | null,
  size: number,
  field: string,
): Promise<Collected> {
  const { searcher, progress } = search;
  const pause = pausesOf(progress);
  let room = Math.max(64, size * GROUP_HITS);
  const roomy = (): HitCollector => hitsOf(search, Math.min(room, searcher.maxDoc));
  const several = size > 0 && mayHaveSeveral(field, searcher) ? new SeveralFinder(roomy(), field) : null;
  // A search without hits has no groups.
  const hits = several ?? (size === 0 ? hitsOf(search, 0) : roomy());
  const result = await runPass(search, weight, aggregations, hits, total);
  if (several !== null && several.last >= 0) await walkGroups(search, weight, size, field, several.last);
  let top = hits.take();
  let groups = await collapseHits(top, field, searcher, size, pause);
  while (groups.values.length < size && top.docs.length === room) {
    const wanted = Math.min(room * GROUP_GROWTH, searcher.maxDoc);
    if (wanted > GROUP_HITS_MAX) top = await walkGroups(search, weight, size, field, searcher.maxDoc);
    else {
      progress.charge?.((wanted - room) * hitBytes(search.keys));
      const more = hitsOf(search, wanted);
      await runPass(search, weight, null, more, 0);
      top = more.take();
    }
    room *= GROUP_GROWTH;
    groups = await collapseHits(top, field, searcher, size, pause);
    if (wanted > GROUP_HITS_MAX) break;
  }
  return { pass: result, top: groups.top, collapseValues: groups.values };
}

/** About the bytes of a hit in a collector: its keys, its document and its score, and those again when it is taken. */
const hitBytes = (keys: readonly SortKey[]): number => 32 + keys.reduce((sum, { slots }) => sum + 8 * slots, 0);

/**
 * Returns hits with the best of each of the best groups among the matches up to `last`. Refuses a match with several
 * values that becomes the best of a group.
 */
async function walkGroups(
  search: ShardSearch,
  weight: Weight,
  size: number,
  field: string,
  last: number,
): Promise<TopDocs> {
  const make: MakeHits = (count) => {
    const scratch = requestScratch(search.searcher.cache);
    return { hits: hitsOf({ ...search, scratch }, count), release: () => scratch.release() };
  };
  const atOnce = Math.max(size, runsScripts(search.keys) ? WALK_SCRIPTS : WINDOW_DOCS);
  const walk = new GroupWalk(make, field, search.searcher, size, last, atOnce);
  await runPass(search, weight, null, walk, 0);
  return walk.take();
}

async function runPass(
  search: ShardSearch,
  weight: Weight,
  aggregations: ShardCollector | null,
  hits: HitCollector,
  total: number | null,
): Promise<PassResult> {
  const { searcher, body, context, progress, statistics } = search;
  const postFilter =
    search.postFilter === null ? null : createWeight(search.postFilter, searcher, { needsScores: false, statistics });
  const pass: Pass = {
    searcher,
    weight,
    postFilter,
    hits,
    aggregations,
    minScore: body.minScore,
    countMax: total === null ? body.totalHitsMax : -1,
    // 8.12 ends no search without hits early.
    terminateAfter: search.options.shardSize === 0 ? 0 : body.terminateAfter,
    timeoutMs: body.timeoutMs,
    progress,
    trackMaxScore: body.tracksScores && search.keys.length > 0 && search.options.shardSize > 0,
    slowParts: search.slowParts,
    isSlow: search.isSlow,
    windowMax: search.aggregations?.runsScripts === true ? SCRIPTED_DOCS : WINDOW_DOCS,
  };
  const isCountOnly = search.options.shardSize === 0 && aggregations === null && total !== null;
  const result = isCountOnly ? NOTHING_TO_DO : await collectMatches(pass);
  if (aggregations !== null)
    await collectGlobals(pass, backgroundWeight(null, aliasFilterOf(search.target, context), searcher, context));
  return result;
}

const NOTHING_TO_DO: PassResult = {
  count: 0,
  isLowerBound: false,
  timedOut: false,
  terminatedEarly: false,
  maxScore: Number.NaN,
};

interface HitPage {
  readonly top: TopDocs;
  readonly sortValues: Value[][] | null;
}

/** Returns the hits that the shard sends, with their sort values. */
function pageOf(search: ShardSearch, collected: TopDocs): HitPage {
  const size = search.options.shardSize;
  const docs = collected.docs.length > size ? collected.docs.slice(0, size) : collected.docs;
  const scores = collected.scores.length > size ? collected.scores.slice(0, size) : collected.scores;
  return { top: { docs, scores }, sortValues: search.keys.length === 0 ? null : sortValuesOf(search, docs, scores) };
}

function sortValuesOf({ searcher, keys }: ShardSearch, docs: Int32Array, scores: Float32Array): Value[][] {
  const segments = new Map(searcher.segments.map((view) => [view, null as ReturnType<SortKey['segment']>[] | null]));
  return Array.from(docs, (doc, i) => {
    const view = searcher.segments.findLast((one) => one.docBase <= doc)!;
    let bound = segments.get(view) ?? null;
    if (bound === null) segments.set(view, (bound = keys.map((key) => key.segment(view))));
    return bound.map((key) => key.value(doc - view.docBase, scores[i] ?? 0));
  });
}

function answer(
  search: ShardSearch,
  { pass, collapseValues }: Collected,
  { top, sortValues }: HitPage,
  total: number | null,
): shard.ShardQueryResult {
  const { body, searcher } = search;
  const count = total ?? pass.count;
  const isBeyond = total === null && body.totalHitsMax !== Infinity && count > body.totalHitsMax;
  const isByScore = search.keys.length === 0 && top.docs.length > 0;
  const hasScores = search.keys.length === 0 || body.tracksScores || search.keys.some((key) => key.needsScores);
  const maxScore = isByScore ? top.scores[0]! : Math.fround(pass.maxScore);
  // All members in the order in which decoding creates them: V8 reads and writes objects of one shape faster.
  return {
    target: 0,
    error: undefined,
    total: isBeyond ? body.totalHitsMax : count,
    totalIsLowerBound: isBeyond || (total === null && pass.isLowerBound) || isUncounted(search, pass, top),
    timedOut: pass.timedOut,
    terminatedEarly: pass.terminatedEarly,
    maxScore: Number.isNaN(maxScore) ? undefined : maxScore,
    docs: bytesOf(top.docs),
    scores: hasScores ? bytesOf(top.scores) : NO_BYTES,
    sortValues: sortValues === null ? NO_BYTES : encodeValue(sortValues),
    collapseValues: collapseValues === null ? undefined : encodeValue(collapseValues),
    aggregations: undefined,
    suggest: undefined,
    profile: undefined,
    context: undefined,
    hits: [],
    totalLive: searcher.liveDocCount,
  };
}

/** Returns whether the total is unknown: hits were not to be counted, and the page does not show that there is none. */
function isUncounted(
  { body, options, after }: ShardSearch,
  { timedOut, terminatedEarly }: PassResult,
  { docs }: TopDocs,
): boolean {
  const showsNone = docs.length === 0 && options.shardSize > 0 && after === null && !timedOut && !terminatedEarly;
  return body.totalHitsMax === 0 && !showsNone;
}

const NO_BYTES = new Uint8Array(0);

function bytesOf(numbers: Int32Array | Float32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

async function fetchPage(search: ShardSearch, { top, sortValues }: HitPage, progress: Progress): Promise<Uint8Array[]> {
  const { searcher, options, context, keys, body } = search;
  const hasScores = keys.length === 0 || body.tracksScores || keys.some((key) => key.needsScores);
  const end = options.from + options.size;
  const docs = top.docs.slice(options.from, end);
  const scores = hasScores ? top.scores.slice(options.from, end) : new Float32Array(0);
  const values = sortValues === null ? null : sortValues.slice(options.from, end);
  const { aliasFilter = null, nearestKept = null } = context;
  return fetchDocuments(
    searcher,
    {
      shown: body.fetch.explain || body.knn.length > 0 ? { ...body, aliasFilter, nearestKept } : body,
      options,
      now: context.now,
      docs,
      scores,
      sortValues: values,
      showsLookups: true,
      nestedPath: null,
    },
    progress,
  );
}
