import type { Clock } from '@shoal/doors';
import { decodeJson, encodeJson, withScriptParams } from '@shoal/json';
import { errorMessage, NO_ERROR, shard } from '@shoal/protocol';
import type { Progress } from '@shoal/query';
import {
  answerAtRest,
  type AskedSearch,
  executeFetchPhase,
  executeQueryPhase,
  canMatchShard,
  restrictLease,
  type SearcherLease,
  type LocalSearchMessage,
  type SearchPhase,
  type SearchSource,
  type SearchSources,
  sourceOf,
  type TotalHits,
} from '@shoal/shard';
import type { HeldShards } from './held-shards.js';
import { createProgress } from './progress.js';
import type { ReaderContexts } from './reader-contexts.js';
import type { RequestBreaker } from './request-breaker.js';
import type { ViewSearches } from './view-searches.js';

/** Parts of a thread that the handlers of shard messages need. */
export interface MessageContext {
  readonly shards: HeldShards;
  readonly contexts: ReaderContexts;
  readonly clock: Clock;
  /** Folder of the node's data. */
  readonly dataPath: string;
  readonly breaker: RequestBreaker;
  readonly sources: SearchSources;
  /** Number of searches that run or wait on the thread. */
  readonly load: { searches: number };
  /** Decides which query phases run on other threads; absent if all run on this one. */
  readonly views?: ViewSearches | undefined;
  /** Adds fields to an index's mapping through the master. */
  readonly updateMapping: (indexUuid: string, mapping: Record<string, unknown>) => Promise<void>;
}

const NO_RESULT = shard.decodeShardQueryResult(new Uint8Array(0));

async function bulk(
  { shards, updateMapping }: MessageContext,
  request: shard.BulkShardRequest,
): Promise<shard.BulkShardResponse> {
  const target = await shards.copyToWrite(request.shard);
  const { indexUuid } = request.shard!;
  return target.bulk(request, { updateMapping: (mapping) => updateMapping(indexUuid, mapping) });
}

/**
 * Returns a target with the filter of its context. The client chooses the id of a point in time, so the filter must not
 * come from the request alone.
 */
function bound(target: shard.ShardTarget, filter: Uint8Array | undefined): shard.ShardTarget {
  if (target.owner === undefined || filter === undefined) return target;
  if (target.filter === undefined) return { ...target, filter };
  if (Buffer.compare(target.filter, filter) === 0) return target;
  const both = [filter, target.filter].map((bytes) => Buffer.from(bytes).toString('utf8')).join(',');
  return { ...target, filter: Buffer.from(`{"bool":{"filter":[${both}]}}`) };
}

/**
 * Runs work that reads a shard. A mounted copy may lack files for it: then it is run again once they are there, and
 * `undo` takes back what an attempt returned.
 */
async function reading<T>(
  { shards }: MessageContext,
  ref: shard.ShardRef | undefined,
  work: () => Promise<T>,
  signal?: AbortSignal,
  undo?: (result: T) => void,
): Promise<T> {
  const mounted = shards.mountedOf(ref);
  return mounted === null ? work() : mounted.run(work, undo, signal);
}

/** Runs work on the target's open context, or on the shard's newest reader. */
async function withLease<T>(
  context: MessageContext,
  target: shard.ShardTarget,
  keepAliveMs: number,
  work: (lease: SearcherLease, target: shard.ShardTarget) => Promise<T>,
): Promise<T> {
  if (target.context !== undefined)
    return context.contexts.use(
      target.context,
      keepAliveMs,
      (lease, filter) => work(lease, bound(target, filter)),
      target.owner,
      target.shard?.indexUuid,
    );
  const lease = (await context.shards.get(target.shard)).acquire();
  try {
    return await work(restrictLease(lease, target.access), target);
  } finally {
    lease.release();
  }
}

/** Runs a query whose reader stays open for the fetch phase or the next page. */
async function queryAndKeep(
  context: MessageContext,
  request: shard.QueryRequest,
  target: shard.ShardTarget,
  run: (lease: SearcherLease, target: shard.ShardTarget) => Promise<shard.ShardQueryResult>,
): Promise<{ readonly result: shard.ShardQueryResult; readonly context: string }> {
  const lease = (await context.shards.get(target.shard)).acquire();
  try {
    const shown = restrictLease(lease, target.access);
    const result = await run(shown, target);
    return {
      result,
      context: context.contexts.open(shown, target.shard!, request.keepAliveMs, target.owner, target.filter),
    };
  } catch (error) {
    lease.release();
    throw error;
  }
}

/** Statistics and memory account of a search phase. */
interface PhaseWork<T> extends Omit<AskedSearch, 'total'> {
  readonly phases: readonly SearchPhase[];
  readonly label: string;
  /** Body of the search; its `stats` groups are counted. */
  readonly source: SearchSource;
  /** Returns the hits that the shard counted in the query phase; null if not known. */
  readonly totalOf: (result: T) => TotalHits | null;
  readonly signal: AbortSignal;
}

/**
 * Runs a search phase on a lease. It is counted on the lease if it succeeds, as its index may be deleted meanwhile. Its
 * memory is released in any case.
 */
async function runPhase<T>(
  { clock, breaker }: MessageContext,
  lease: SearcherLease,
  { phases, label, source, body, options, caller, totalShards, totalOf, signal }: PhaseWork<T>,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const account = breaker.open(label);
  const startedAt = clock.monotonic();
  try {
    const result = await work(createProgress(clock, signal, account));
    const elapsedMs = clock.monotonic() - startedAt;
    const { groups } = source.search;
    const asked = { body, options, caller, totalShards, total: totalOf(result) };
    for (const phase of phases) lease.countSearch(phase, elapsedMs, groups, asked);
    return result;
  } finally {
    account.release();
  }
}

const QUERY_PHASES: readonly SearchPhase[] = ['query'];
const FETCH_PHASES: readonly SearchPhase[] = ['fetch'];
const BOTH_PHASES: readonly SearchPhase[] = ['query', 'fetch'];

const askedBy = ({
  body,
  options,
  caller,
  totalShards,
}: shard.QueryRequest | shard.FetchRequest): Omit<AskedSearch, 'total'> => ({ body, options, caller, totalShards });

const totalOfQuery = ({ total, totalIsLowerBound }: shard.ShardQueryResult): TotalHits => ({
  value: total,
  isLowerBound: totalIsLowerBound,
});

async function queryOne(
  context: MessageContext,
  request: shard.QueryRequest,
  source: SearchSource,
  position: number,
  signal: AbortSignal,
): Promise<shard.ShardQueryResult> {
  const target = request.targets[position]!;
  const work: PhaseWork<shard.ShardQueryResult> = {
    phases: request.fetch ? BOTH_PHASES : QUERY_PHASES,
    label: '<query_phase>',
    source,
    ...askedBy(request),
    totalOf: totalOfQuery,
    signal,
  };
  const run = (lease: SearcherLease, read: shard.ShardTarget): Promise<shard.ShardQueryResult> =>
    runPhase(context, lease, work, (progress) =>
      executeQueryPhase(lease, read, request, progress, source, context.views?.runner(signal)),
    );
  if (request.keepContext && target.context === undefined) {
    const kept = await queryAndKeep(context, request, target, run);
    return placed(kept.result, position, kept.context);
  }
  return placed(await withLease(context, target, request.keepAliveMs, run), position, target.context);
}

/**
 * Copies a result with the position of its target; a copy, because the request cache keeps the result. Fields are
 * copied one by one: spread objects get other hidden classes, which are slow to make and to read.
 */
function placed(result: shard.ShardQueryResult, target: number, context: string | undefined): shard.ShardQueryResult {
  return {
    target,
    error: result.error,
    total: result.total,
    totalIsLowerBound: result.totalIsLowerBound,
    timedOut: result.timedOut,
    terminatedEarly: result.terminatedEarly,
    maxScore: result.maxScore,
    docs: result.docs,
    scores: result.scores,
    sortValues: result.sortValues,
    collapseValues: result.collapseValues,
    aggregations: result.aggregations,
    suggest: result.suggest,
    profile: result.profile,
    context,
    hits: result.hits,
    totalLive: result.totalLive,
  };
}

/** Frees the contexts of an answer whose caller is gone: nobody else would free them. */
function freeOpened(
  { contexts }: MessageContext,
  { targets }: shard.QueryRequest,
  results: readonly shard.ShardQueryResult[],
): void {
  for (const { target: position, context } of results) {
    const target = targets[position]!;
    if (context !== undefined && target.context === undefined) contexts.free([context], target.owner);
  }
}

async function query(
  context: MessageContext,
  request: LocalSearchMessage<shard.QueryRequest>,
  signal: AbortSignal,
): Promise<shard.QueryResponse> {
  const { clock, load, shards, sources } = context;
  const source = sourceOf(request, sources);
  const results: shard.ShardQueryResult[] = [];
  const startedAt = clock.monotonic();
  const queue = load.searches++;
  shards.openDeferred(request.targets.map((target) => target.shard));
  try {
    for (let i = 0; i < request.targets.length; i++) {
      const target = request.targets[i]!;
      const undo = (result: shard.ShardQueryResult): void => freeOpened(context, request, [result]);
      // The copy may be at rest: it is known whether it is mounted once it is open.
      if (target.context === undefined) await shards.get(target.shard).catch(() => undefined);
      results.push(
        await reading(context, target.shard, () => queryOne(context, request, source, i, signal), signal, undo).catch(
          (error: unknown) => ({
            ...NO_RESULT,
            target: i,
            error: errorMessage(error),
          }),
        ),
      );
    }
  } finally {
    load.searches--;
  }
  if (signal.aborted) freeOpened(context, request, results);
  // Searches take turns on a thread: this one had its share of the time that passed.
  return { results, serviceMs: (clock.monotonic() - startedAt) / (queue + 1), queue };
}

async function fetch(
  context: MessageContext,
  request: LocalSearchMessage<shard.FetchRequest>,
  signal: AbortSignal,
): Promise<shard.FetchResponse> {
  const source = sourceOf(request, context.sources);
  const target = request.target!;
  const total = request.total === undefined ? null : { value: request.total, isLowerBound: request.totalIsLowerBound };
  const work: PhaseWork<Uint8Array[]> = {
    phases: FETCH_PHASES,
    label: '<fetch_phase>',
    source,
    ...askedBy(request),
    totalOf: () => total,
    signal,
  };
  const run = (lease: SearcherLease): Promise<Uint8Array[]> =>
    runPhase(context, lease, work, (progress) => executeFetchPhase(lease, request, source, progress));
  try {
    const hits = await reading(context, target.shard, () => withLease(context, target, 0, run), signal);
    return { hits };
  } finally {
    if (request.freeContext && target.context !== undefined) context.contexts.free([target.context], target.owner);
  }
}

async function openContexts(
  context: MessageContext,
  request: shard.OpenContextRequest,
): Promise<shard.OpenContextResponse> {
  const answer: shard.OpenContextResponse = { contexts: [], errors: [], errorsJson: [] };
  for (const target of request.targets) {
    try {
      const lease = (await context.shards.get(target.shard)).acquire();
      answer.contexts.push(
        context.contexts.open(
          restrictLease(lease, target.access),
          target.shard!,
          request.keepAliveMs,
          target.owner,
          target.filter,
        ),
      );
      answer.errors.push(NO_ERROR);
    } catch (error) {
      answer.contexts.push('');
      answer.errors.push(errorMessage(error));
    }
  }
  return answer;
}

/** Adds `shard_path` to statistics: all files of a copy are below one folder of the node. */
function withPath(stats: object, dataPath: string): object {
  return { ...stats, shard_path: { state_path: dataPath, data_path: dataPath, is_custom_data_path: false } };
}

/**
 * Answers a call for a shard at rest; undefined if the shard must be opened. The time of its last search is by the
 * monotonic clock of an earlier process, so it is not used.
 */
function restAnswer(shards: HeldShards, ref: shard.ShardRef, action: string): unknown {
  const rest = shards.atRest(ref);
  const told = rest === null ? undefined : answerAtRest(rest, action);
  if (told === undefined || action !== 'stats') return told;
  const { isIdle, ms } = shards.searchIdle(ref);
  return { ...(told as object), search_access: { search_idle: isIdle, search_idle_time: ms } };
}

async function callOpened(
  context: MessageContext,
  { shard: ref, action, body, access }: shard.ShardCall,
  signal: AbortSignal,
): Promise<unknown> {
  const opened = await context.shards.get(ref);
  return reading(context, ref, () => opened.call(action, withScriptParams(decodeJson(body), body), access, signal));
}

/** Answers a call on a shard, open or at rest. */
async function callShard(context: MessageContext, request: shard.ShardCall, signal: AbortSignal): Promise<unknown> {
  const { shards, dataPath } = context;
  const { shard: ref, action } = request;
  const told = restAnswer(shards, ref!, action);
  if (told === undefined && action === 'refresh') return (await shards.copy(ref)).refresh();
  const answer = told ?? (await callOpened(context, request, signal));
  return action === 'stats' ? withPath(answer as object, dataPath) : answer;
}

async function call(
  context: MessageContext,
  request: shard.ShardCall,
  signal: AbortSignal,
): Promise<shard.ShardCallResponse> {
  const { shards } = context;
  if (request.action === 'verified') await shards.get(request.shard);
  const isOfRecovery = request.action === 'recovery' || request.action === 'verified';
  return {
    body: encodeJson(isOfRecovery ? shards.recovery(request.shard) : await callShard(context, request, signal)),
  };
}

/** Answers can_match for a shard. A shard that fails may match: its search will report the error. */
async function canMatchOf(
  context: MessageContext,
  request: shard.CanMatchRequest,
  source: SearchSource,
  position: number,
): Promise<shard.CanMatchResult> {
  const target = request.targets[position]!;
  try {
    const { matches, bounds } = await withLease(context, target, 0, async (lease) =>
      canMatchShard(lease, target, source, request.nowMs),
    );
    return { target: position, matches, min: bounds?.min, max: bounds?.max };
  } catch {
    return { target: position, matches: true, min: undefined, max: undefined };
  }
}

async function canMatch(context: MessageContext, request: shard.CanMatchRequest): Promise<shard.CanMatchResponse> {
  const source = sourceOf(request, context.sources);
  return { results: await Promise.all(request.targets.map((_, i) => canMatchOf(context, request, source, i))) };
}

/** Creates the handlers of messages to the shards of a thread. */
export function shardHandlers(context: MessageContext): shard.ShardHandlers {
  const { contexts, shards } = context;
  return {
    bulk: (request) => bulk(context, request),
    get: async (request) => {
      const opened = await shards.get(request.shard);
      return reading(context, request.shard, () => opened.get(request));
    },
    query: (request, signal) => query(context, request, signal),
    fetch: (request, signal) => fetch(context, request, signal),
    canMatch: (request) => canMatch(context, request),
    call: (request, signal) => call(context, request, signal),
    openContexts: (request) => openContexts(context, request),
    freeContexts: ({ contexts: ids, owner }) => ({ freed: contexts.free(ids, owner) }),
  };
}
