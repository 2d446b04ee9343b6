import { keepAliveMax } from '../keep-alive.js';
import { reduceInSteps } from '@shoal/aggregations';
import { decodeValue } from '@shoal/codec';
import {
  allowsIndex,
  clusterSetting,
  type ClusterState,
  grantedNames,
  type IndexAccess,
  sectionEntry,
  UNRESTRICTED,
} from '@shoal/state';
import { errors } from '@shoal/errors';
import type { shard as messages } from '@shoal/protocol';
import { parseContext, type ParseContext, reduceSuggest, type Slice, type Suggestions } from '@shoal/query';
import { stringify } from '@shoal/json';
import { type StoredScript, StoredScripts } from '@shoal/script';
import { formatTimeValue } from '@shoal/values';
import type { CoordinatorContext } from '../context.js';
import { ACTIONS, accessOf, hidesDocuments, limitsBytes, ownerOf } from '../access.js';
import { type CallContext, type JsonAnswer, startOf } from '../call.js';
import { takeTurns, type Turns } from '../turns.js';
import { encodeUtf8 } from '../json-bytes.js';
import { lookedUpPlan } from './parse/looked-up-plan.js';
import { bottomSortValue } from './can-match/bottom-sort-value.js';
import { canMatchPhase } from './can-match/can-match.js';
import { fetchesAtOnce, shareOf } from './fetch-phase/fetch-at-once.js';
import { withInnerHits } from './fetch-phase/collapse-inner-hits.js';
import { withLookupFields } from './fetch-phase/lookup-fields.js';
import { freeKept, runFetchPhase } from './fetch-phase/fetch-phase.js';
import { failedPhase, type SearchPhaseName } from './query-phase/failed-phase.js';
import { globalStatistics } from './query-phase/global-statistics.js';
import { nearestPhase } from './query-phase/nearest-phase.js';
import { type MergedHit, mergeHits } from './query-phase/merge-hits.js';
import { decodePointInTime } from './contexts/pit-id.js';
import type { QueryPhaseRequest, QueryPhaseResult, ShardAnswer } from './query-phase/phase-request.js';
import { type GatheredAnswers, gatherAnswers } from './query-phase/gathered-answers.js';
import { runQueryPhase } from './query-phase/query-phase.js';
import { rankPhase, unrankedPhase, withRank } from './query-phase/rank-phase.js';
import { renderedPage, withMissingHits } from './query-phase/rendered-page.js';
import { type SearchAnswer, searchAnswerChunks } from './search-answer.js';
import { type SearchFailure, searchPhaseError } from './search-failure.js';
import { newPlan, recentPlan } from './targets/recent-sources.js';
import { shardsOfSearch } from './targets/recent-targets.js';
import type { RunningSearch } from './running-search.js';
import { refusals } from './search-limits.js';
import type { SearchPlan } from './parse/search-plan.js';
import { type SearchRequest, withBody } from './parse/search-request.js';
import { loadModels, type ModelledSearch, namesModels } from './models/search-models.js';
import { withNode } from './fetch-phase/explained-hits.js';
import { effectiveSearchType } from './parse/search-type.js';
import type { TargetShard } from './targets/search-targets.js';
import { partOfShard } from './targets/slices.js';
import { type ShardHits, decodeHits } from './query-phase/shard-hits.js';
import { resolveTermsLookups } from './rewrite/terms-lookup.js';

/** Keep-alive of reader contexts between query and fetch phase. */
const FETCH_KEEP_ALIVE_MS = 60_000;

/** Makes the context of parsing from the cluster settings. */
export function clusterParseContext(context: CoordinatorContext): ParseContext {
  const state = context.cluster.state();
  const storedScripts = new StoredScripts((id) => sectionEntry(state, 'storedScripts', id) as StoredScript | undefined);
  return parseContext(allowsExpensiveQueries(context), storedScripts);
}

/** `search.allow_expensive_queries` of the cluster. */
export function allowsExpensiveQueries({ cluster }: CoordinatorContext): boolean {
  return clusterSetting(cluster.state(), 'search.allow_expensive_queries') !== 'false';
}

/** Makes the request of the query phase of a search. `from` and `size` are those of the page. */
export function phaseRequest(
  context: CoordinatorContext,
  search: RunningSearch,
  call: CallContext,
  keepAliveMs: number,
): QueryPhaseRequest {
  const { plan, shardPlan, request, targets } = search;
  const isScroll = request.scrollMs !== null;
  const state = context.cluster.state();
  const bucketsMax = clusterSetting(state, 'search.max_buckets');
  const isShared = fetchesAtOnce(search);
  const options: messages.SearchOptions = {
    searchType: effectiveSearchType(search),
    typedKeys: request.typedKeys,
    shardSize: isShared ? shareOf(plan.size, targets.length) : plan.from + plan.size,
    from: plan.from,
    size: plan.size,
    after: [],
    isScroll,
    isPit: plan.pointInTime !== null,
    requestCache: request.requestCache ?? undefined,
    includeNamedQueriesScore: request.includeNamedQueriesScore,
    withType: call.withType,
    maxBuckets: typeof bucketsMax === 'string' ? Number(bucketsMax) : context.limits.bucketsMax,
    allowExpensiveQueries: allowsExpensiveQueries(context),
    ...(plan.json['fields'] !== undefined && request.isLookup !== true ? { showsLookups: true } : {}),
  };
  const atOnce = targets.length === 1 || isShared;
  const phase: QueryPhaseRequest = {
    targets,
    body: shardPlan.body,
    search: shardPlan,
    options,
    nowMs: context.clock.now(),
    fetch: atOnce,
    keepContext: isScroll || (!atOnce && plan.size > 0 && plan.pointInTime === null),
    keepAliveMs: keepAliveMs > 0 ? keepAliveMs : FETCH_KEEP_ALIVE_MS,
    maxConcurrentPerNode: request.maxConcurrentShardRequests,
    signal: search.signal,
    taskId: search.taskId,
    statistics: null,
  };
  return plan.rank === null ? phase : unrankedPhase(phase);
}

function allowsPartial(context: CoordinatorContext, request: SearchRequest): boolean {
  return (
    request.allowPartialResults ??
    clusterSetting(context.cluster.state(), 'search.default_allow_partial_results') !== 'false'
  );
}

/** Throws if all shards failed, or if some failed and partial results are not allowed. */
export function checkFailures(
  search: RunningSearch,
  phase: SearchPhaseName,
  failures: readonly SearchFailure[],
  partialAllowed: boolean,
): void {
  if (failures.length === 0) return;
  if (failures.length === search.targets.length) throw searchPhaseError(phase, 'all shards failed', failures);
  if (partialAllowed) return;
  const missing = failures.filter((failure) => failure.error.type === 'no_shard_available_action_exception');
  if (missing.length === 0) throw searchPhaseError(phase, 'Partial shards failure', failures);
  const names = missing.map((failure) => `[${failure.index}][${failure.shard}]`).join(', ');
  const cause = errors.searchPhaseExecution(
    `Search rejected due to missing shards [${names}]. Consider using \`allow_partial_search_results\` setting to ` +
      'bypass this error.',
  );
  throw searchPhaseError(phase, 'Search rejected due to missing shards', failures, cause);
}

/** Hits of a page, merged and rendered. */
export interface Page {
  readonly merged: readonly MergedHit[];
  readonly hits: readonly Uint8Array[];
  readonly failures: readonly SearchFailure[];
}

function decodeAll(result: QueryPhaseResult): ShardHits[] {
  return result.answers.flatMap((answer, target) => (answer ? [decodeHits(answer.result, target)] : []));
}

/** Merges the hits of shards and fetches those of the page, unless shards have rendered them along with the query. */
export async function pageOf(
  context: CoordinatorContext,
  search: RunningSearch,
  phase: QueryPhaseRequest,
  result: QueryPhaseResult,
  gathered: GatheredAnswers,
): Promise<Page> {
  const { plan } = search;
  if (plan.rank !== null) return rankedPage(context, plan, phase, result, gathered);
  if (phase.fetch && search.targets.length > 1) return renderedPage(plan, result);
  if (phase.fetch) {
    const [answer] = result.answers;
    if (!answer) return { merged: [], hits: [], failures: [] };
    const merged =
      phase.options.isScroll || plan.collapse ? mergeHits([decodeHits(answer.result, 0)], plan.orders, false) : [];
    return {
      merged: merged.slice(plan.from, plan.from + plan.size),
      hits: withNode(answer.result.hits, answer.nodeId),
      failures: [],
    };
  }
  if (plan.size === 0) return { merged: [], hits: [], failures: [] };
  const all = mergeHits(decodeAll(result), plan.orders, plan.collapse !== null);
  const merged = all.slice(plan.from, plan.from + plan.size);
  const { hits, failures } = await runFetchPhase(context, phase, result.answers, merged, gathered);
  return { merged, hits, failures };
}

async function rankedPage(
  context: CoordinatorContext,
  plan: SearchPlan,
  phase: QueryPhaseRequest,
  result: QueryPhaseResult,
  gathered: GatheredAnswers,
): Promise<Page> {
  const ranking = await rankPhase(context, plan, phase, result, clusterParseContext(context), gathered);
  const { merged } = ranking;
  const ranked = (hit: Uint8Array, position: number): Uint8Array => withRank(hit, plan.from + position + 1);
  const { hits, failures } = await runFetchPhase(context, phase, result.answers, merged, gathered, ranked);
  return { merged, hits, failures: [...ranking.failures, ...failures] };
}

function present(result: QueryPhaseResult): ShardAnswer[] {
  return result.answers.filter((answer) => answer !== null);
}

/** Whether a search runs no query at all, so that nothing can end early. */
const onlySuggests = ({ suggest, query, aggregations }: SearchPlan): boolean =>
  suggest !== null && query === null && aggregations === null;

function totalOf(plan: SearchPlan, answers: readonly ShardAnswer[]): SearchAnswer['total'] {
  const limit = plan.trackTotalHits;
  if (limit === false) return null;
  let value = 0;
  let isLowerBound = false;
  for (const { result } of answers) {
    value += result.total;
    isLowerBound ||= result.totalIsLowerBound;
  }
  if (typeof limit === 'number' && value > limit) return { value: limit, isLowerBound: true };
  return { value, isLowerBound };
}

function maxScoreOf(plan: SearchPlan, answers: readonly ShardAnswer[], searched: number): number | null {
  if (searched === 0) return 0;
  if (plan.size === 0 || plan.rank !== null || (plan.orders !== null && !plan.tracksScores)) return null;
  let max: number | null = null;
  for (const { result } of answers) {
    if (result.maxScore !== undefined && !Number.isNaN(result.maxScore))
      max = Math.max(max ?? Number.NEGATIVE_INFINITY, result.maxScore);
  }
  return max;
}

async function reducedAggregations(
  search: RunningSearch,
  phase: QueryPhaseRequest,
  answers: readonly ShardAnswer[],
  turns: Turns,
): Promise<SearchAnswer['aggregations']> {
  const tree = search.plan.aggregations;
  // An empty `aggs` is none.
  if (tree === null || tree.nodes.length === 0 || search.targets.length === 0) return null;
  const partials = answers.flatMap(({ result }) => (result.aggregations ? [result.aggregations] : []));
  const steps = reduceInSteps(tree, partials, {
    typedKeys: search.request.typedKeys,
    maxBuckets: phase.options.maxBuckets,
    now: () => phase.nowMs,
    models: search.models,
  });
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    const pause = turns.pause();
    if (pause !== null) await pause;
  }
}

function reducedSuggest(search: RunningSearch, answers: readonly ShardAnswer[]): SearchAnswer['suggest'] {
  const { suggest } = search.plan;
  if (suggest === null || search.targets.length === 0) return null;
  const shards = answers.flatMap(({ result }) =>
    result.suggest ? [decodeValue(result.suggest) as unknown as Suggestions] : [],
  );
  return reduceSuggest(suggest, shards, search.request.typedKeys);
}

/** Makes the answer of a search, without what a scroll adds. */
export async function answerOf(
  context: CoordinatorContext,
  search: RunningSearch,
  phase: QueryPhaseRequest,
  result: QueryPhaseResult,
  page: Page,
): Promise<SearchAnswer> {
  const { plan, request, targets } = search;
  const answers = present(result);
  const aggregations = await reducedAggregations(search, phase, answers, takeTurns(context.clock, phase.signal));
  const failures = [...result.failures, ...page.failures];
  return {
    scrollId: null,
    pitId: plan.pointInTime?.id ?? null,
    tookMs: Math.round(context.clock.monotonic() - search.startedMs),
    timedOut: answers.some(({ result: shard }) => shard.timedOut),
    terminatedEarly:
      !onlySuggests(plan) &&
      (plan.terminateAfter > 0 || (plan.trackTotalHits === true && plan.size === 0 && plan.aggregations === null))
        ? answers.some(({ result: shard }) => shard.terminatedEarly)
        : null,
    shards: {
      total: targets.length,
      successful: answers.length + result.skipped - page.failures.length,
      skipped: result.skipped,
      failures,
    },
    total: totalOf(plan, answers),
    totalAsInt: request.totalHitsAsInt,
    maxScore: maxScoreOf(plan, answers, targets.length),
    hits: page.hits,
    aggregations,
    suggest: reducedSuggest(search, answers),
    profile: plan.profile ? shardProfiles(targets, result) : null,
  };
}

/** Renders the profiles of shards with their ids. */
function shardProfiles(targets: readonly TargetShard[], { answers }: QueryPhaseResult): Uint8Array[] {
  return answers.flatMap((answer, i) => {
    if (!answer?.result.profile) return [];
    const { nodeId } = answer;
    const { indexName: index, shard } = targets[i]!;
    const head = JSON.stringify({
      id: `[${nodeId}][${index}][${shard}]`,
      node_id: nodeId,
      shard_id: shard,
      index,
      cluster: '(local)',
    });
    return [Buffer.concat([encodeUtf8(`${head.slice(0, -1)},`), answer.result.profile.subarray(1)])];
  });
}

/** Throws if a keep-alive exceeds `search.max_keep_alive`, in the form of a failure of every shard. */
export function checkKeepAlive(
  context: CoordinatorContext,
  keepAliveMs: number,
  targets: readonly TargetShard[],
): void {
  if (keepAliveMs === 0) return;
  const maxMs = keepAliveMax(context.cluster.state());
  if (keepAliveMs <= maxMs) return;
  const error = errors.illegalArgument(
    `Keep alive for request (${formatTimeValue(keepAliveMs)}) is too large. It must be less than ` +
      `(${formatTimeValue(maxMs)}). This limit can be set by changing the [search.max_keep_alive] cluster level ` +
      'setting.',
  );
  const failures = targets.map(
    (target): SearchFailure => ({
      shard: target.shard,
      index: target.indexName,
      nodeId: target.nodeIds[0] ?? null,
      error,
    }),
  );
  throw failures.length === 0 ? error : searchPhaseError('query', 'all shards failed', failures);
}

const MATCH_NONE = encodeUtf8('{"match_none":{}}');

/** Applies a slice: shards outside of it match nothing, and a slice within shards stays in their body. */
function sliced(search: RunningSearch, slice: Slice): RunningSearch {
  const parts = search.targets.map((target) => partOfShard(slice, target.shard, target.shards));
  const inner = parts.find((part) => typeof part === 'object');
  const { slice: _, ...unsliced } = search.plan.json;
  const json = inner ? { ...unsliced, slice: inner } : unsliced;
  return {
    ...search,
    shardPlan: { ...search.plan, slice: inner ?? null, json, body: encodeUtf8(stringify(json)) },
    targets: search.targets.map((target, i) => (parts[i] === 'none' ? { ...target, filter: MATCH_NONE } : target)),
  };
}

/** Parses a search and finds its shards. Lookups of other documents are resolved first. */
export async function startSearch(
  context: CoordinatorContext,
  given: SearchRequest,
  call: CallContext,
): Promise<RunningSearch> {
  const known = recentPlan(context.sources, given, allowsExpensiveQueries(context));
  if (known) return withModels(context, given, known, call);
  const parsing = clusterParseContext(context);
  const found = await resolveTermsLookups(context, given, call);
  if (found.body === given.body && given.isLookedUp !== true)
    return withModels(context, given, newPlan(context.sources, given, parsing), call);
  // Not kept: a body whose documents are all missing may be as it was, and would be found before they are looked up.
  const request = withBody(given, { ...found, isLookedUp: given.isLookedUp });
  return withModels(context, request, lookedUpPlan(given, request, parsing), call);
}

/** Loads the trained models that a search names, if there are any. */
function withModels(
  context: CoordinatorContext,
  request: SearchRequest,
  plan: SearchPlan,
  call: CallContext,
): RunningSearch | Promise<RunningSearch> {
  if (!namesModels(plan)) return targeted(context, request, { plan, models: NO_MODELS }, call);
  return loadModels(context, plan, call, clusterParseContext(context)).then((search) =>
    targeted(context, request, search, call),
  );
}

const NO_MODELS: ModelledSearch['models'] = new Map();

/**
 * Throws if documents are hidden from the caller and the search has suggestions or a profile, which would reveal them.
 */
function checkLimited(plan: SearchPlan, targets: readonly TargetShard[]): void {
  if (plan.suggest === null && !plan.profile) return;
  if (!targets.some(({ access }) => hidesDocuments(access))) return;
  const what =
    plan.suggest !== null
      ? "Suggest isn't supported if document level security is enabled"
      : 'A search request cannot be profiled if document level security is enabled';
  throw errors.security(what, { status: 400 });
}

function targeted(
  context: CoordinatorContext,
  request: SearchRequest,
  { plan, models }: ModelledSearch,
  call: CallContext,
): RunningSearch {
  const startedMs = startOf(context.clock, call);
  const targets = plan.pointInTime
    ? ownTargets(context, plan.pointInTime.id, call)
    : shardsOfSearch(context, request, plan, call);
  checkLimited(plan, targets);
  const { signal, taskId } = call;
  const search = { request, plan, shardPlan: plan, targets, models, startedMs, signal, taskId };
  return plan.slice ? sliced(search, plan.slice) : search;
}

/**
 * Returns the shards of a point in time with the owner and limits of the caller; its shards check the owner. Throws if
 * the caller may no longer search an index.
 */
function ownTargets(context: CoordinatorContext, id: string, call: CallContext): readonly TargetShard[] {
  const targets = decodePointInTime(id).map((target, position) => ({ ...target, position }));
  const access = accessOf(call, ACTIONS.search);
  if (access === UNRESTRICTED) return targets;
  const state = context.cluster.state();
  const owner = ownerOf(call.subject);
  // The client may have changed the id: a target without a reader would open the index anew, without the limits that
  // the point in time was opened with.
  if (targets.some(({ reader }) => typeof reader !== 'string' || reader === ''))
    throw errors.illegalArgument('java.io.EOFException', { cause: errors.eof(null) });
  const known = new Map(
    targets.map(({ indexUuid, indexName }) => [indexUuid, reached(state, access, indexUuid, indexName)]),
  );
  const refused = new Set(
    targets.filter(({ indexUuid }) => known.get(indexUuid) === null).map(({ indexName }) => indexName),
  );
  if (refused.size > 0) throw access.refuse([...refused]);
  const nowMs = context.clock.now();
  return targets.map((target) => ({
    ...target,
    owner,
    access: limitsBytes(access.limits(known.get(target.indexUuid)!), nowMs),
  }));
}

/** Returns the names by which the caller may use an index; null if there are none. */
function reached(state: ClusterState, access: IndexAccess, uuid: string, name: string): readonly string[] | null {
  const index = state.indices.get(uuid);
  if (!index) return access.allows(name) ? [name] : null;
  const names = [
    ...(allowsIndex(state, access, index) ? [index.name] : []),
    ...Object.keys(index.aliases).filter((alias) => access.allows(alias)),
  ];
  return names.length === 0 ? null : grantedNames(state, index, names);
}

/** A search that scores by the statistics of each shard. */
const NO_DFS_PHASE = { statistics: null, isRefused: false } as const;

/** Runs can_match, query phase, merge and fetch phase of a search. */
export async function runPhases(
  context: CoordinatorContext,
  search: RunningSearch,
  phase: QueryPhaseRequest,
): Promise<{ result: QueryPhaseResult; page: Page }> {
  const refused = refusals(context, search.request, search.plan, search.targets);
  const isGlobal = effectiveSearchType(search) === 'dfs_query_then_fetch';
  if (refused.length > 0)
    throw searchPhaseError(isGlobal || search.plan.knn.length > 0 ? 'dfs' : 'query', 'all shards failed', refused);
  const canMatch = await canMatchPhase(context, search, phase);
  const skipping = canMatch && { canMatch, bottomSortValue: bottomSortValue(search.plan, phase, canMatch) };
  const gathered = gatherAnswers(context.inFlight);
  try {
    const { statistics, isRefused } = isGlobal ? await globalStatistics(context, search) : NO_DFS_PHASE;
    const parsing = () => clusterParseContext(context);
    const targets = await nearestPhase(context, search.plan, phase, parsing, gathered);
    const isAsked = statistics === null && targets === phase.targets;
    const asked = isAsked ? phase : { ...phase, statistics, targets };
    const first = await runQueryPhase(context, asked, gathered, skipping);
    const hasShares = search.plan.rank === null && phase.options.shardSize < search.plan.size;
    const result = hasShares ? await withMissingHits(context, search.plan, asked, first, gathered) : first;
    const name =
      result.failures.length === 0
        ? 'query'
        : await failedPhase(context, search, asked, { isGlobal, isRefused }, result, parsing, gathered);
    return { result, page: await pageOrFreed(context, search, asked, name, result, gathered) };
  } finally {
    gathered.release();
  }
}

/** Makes the page. If it fails, closes the reader contexts of the search. */
async function pageOrFreed(
  context: CoordinatorContext,
  search: RunningSearch,
  phase: QueryPhaseRequest,
  name: SearchPhaseName,
  result: QueryPhaseResult,
  gathered: GatheredAnswers,
): Promise<Page> {
  try {
    return await checkedPage(context, search, phase, name, result, gathered);
  } catch (error) {
    freeKept(context, phase, result.answers);
    throw error;
  }
}

async function checkedPage(
  context: CoordinatorContext,
  search: RunningSearch,
  phase: QueryPhaseRequest,
  name: SearchPhaseName,
  result: QueryPhaseResult,
  gathered: GatheredAnswers,
): Promise<Page> {
  const partialAllowed = allowsPartial(context, search.request);
  checkFailures(search, name, result.failures, partialAllowed);
  const page = await pageOf(context, search, phase, result, gathered);
  if (page.failures.length > 0) checkFailures(search, 'fetch', [...result.failures, ...page.failures], partialAllowed);
  return page;
}

/**
 * Bytes of partial aggregations from which a reduce takes milliseconds and gets a turn of the event loop of its own.
 */
const LARGE_PARTIAL_BYTES = 64 * 1024;

const hasLargePartials = ({ answers }: QueryPhaseResult): boolean =>
  answers.some((answer) => (answer?.result.aggregations?.length ?? 0) > LARGE_PARTIAL_BYTES);

/** Returns an answer with the values of `lookup` fields, which are searched with the rights of the caller. */
export async function withLookedUp(
  context: CoordinatorContext,
  answer: SearchAnswer,
  call: CallContext,
): Promise<SearchAnswer> {
  const run = (inner: SearchRequest): Promise<SearchAnswer> => runSearch(context, inner, call);
  const hits = await withLookupFields(answer.hits, () => allowsExpensiveQueries(context), run);
  return hits === answer.hits ? answer : { ...answer, hits };
}

/**
 * Runs a search without scroll: a query message to each node, and a fetch message to the nodes with hits on the page
 * unless hits were rendered with the query.
 */
export async function runSearch(
  context: CoordinatorContext,
  request: SearchRequest,
  call: CallContext,
): Promise<SearchAnswer> {
  const running = await startSearch(context, request, call);
  const keepAliveMs = running.plan.pointInTime?.keepAliveMs ?? 0;
  checkKeepAlive(context, keepAliveMs, running.targets);
  const phase = phaseRequest(context, running, call, keepAliveMs);
  const { result, page } = await runPhases(context, running, phase);
  if (hasLargePartials(result)) await context.clock.yield();
  const answer = await withLookedUp(context, await answerOf(context, running, phase, result, page), call);
  if (hasLargePartials(result)) await context.clock.yield();
  const collapse = running.plan.collapse;
  if (collapse === null || collapse.innerHits.length === 0) return answer;
  const hits = await withInnerHits(answer.hits, page.merged, collapse, running, (inner) =>
    runSearch(context, inner, call),
  );
  return { ...answer, hits };
}

/** Runs a search and renders its answer. */
export async function search(
  context: CoordinatorContext,
  request: SearchRequest,
  call: CallContext,
): Promise<JsonAnswer> {
  const turns = takeTurns(context.clock, call.signal);
  return { status: 200, chunks: await searchAnswerChunks(await runSearch(context, request, call), turns) };
}
