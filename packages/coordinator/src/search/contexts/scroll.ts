import { type Value, encodeValue } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { TimerHandle } from '@shoal/doors';
import type { CoordinatorContext } from '../../context.js';
import { ownerOf } from '../../access.js';
import { type CallContext, type JsonAnswer, startOf } from '../../call.js';
import type { MergedHit } from '../query-phase/merge-hits.js';
import { freeTargets } from './point-in-time.js';
import type { QueryPhaseRequest, QueryPhaseResult } from '../query-phase/phase-request.js';
import { type Page, answerOf, checkKeepAlive, phaseRequest, runPhases, startSearch, withLookedUp } from '../search.js';
import type { RunningSearch } from '../running-search.js';
import { type SearchAnswer, searchAnswerChunks } from '../search-answer.js';
import { contextMissing } from '../search-failure.js';
import { takeTurns } from '../../turns.js';
import { encodeScrollId, type ScrollId } from './scroll-id.js';
import type { SearchRequest } from '../parse/search-request.js';
import type { TargetShard } from '../targets/search-targets.js';

/** State of a scroll between two pages. */
interface Cursor {
  readonly search: RunningSearch;
  readonly phase: QueryPhaseRequest;
  readonly withType: boolean;
  /** Owner. For other users the scroll does not exist; undefined if security is off. */
  readonly owner: string | undefined;
  targets: readonly TargetShard[];
  /**
   * For each shard the last hit returned: its sort values by encodeValue, or its score, and its document number. Empty
   * if no hit was returned.
   */
  after: Uint8Array[];
  /** Best score of the first page: all pages show it. */
  readonly maxScore: number | null;
  keepAliveMs: number;
  timer: TimerHandle;
  busy: boolean;
}

/** The scrolls that clients opened on this node. */
export interface Scrolls {
  open(request: SearchRequest, call: CallContext): Promise<JsonAnswer>;
  /** Returns the next page of a scroll that this node keeps. */
  next(
    id: Pick<ScrollId, 'cursor' | 'shards'>,
    keepAliveMs: number | null,
    totalHitsAsInt: boolean,
    owner: string | undefined,
    call: CallContext,
  ): Promise<JsonAnswer>;
  /** Closes a scroll. Returns how many shards it kept open; 0 if the owner has no such scroll. */
  clear(cursor: number, owner: string | undefined): Promise<number>;
  /** Closes all scrolls. Returns how many shards they kept open. */
  clearAll(): Promise<number>;
}

/** Of a shard of which no hit was given out. */
const NONE_SEEN = new Uint8Array(0);

function position(hit: MergedHit): Uint8Array {
  const { hits, at } = hit;
  const value: Value = [...(hits.sortValues ? hits.sortValues[at]! : [hits.scores?.[at] ?? null]), hits.docs[at]!];
  return encodeValue(value);
}

function advance(after: readonly Uint8Array[], page: Page): Uint8Array[] {
  const next = [...after];
  for (const hit of page.merged) next[hit.hits.target] = position(hit);
  return next;
}

/**
 * Returns the targets of later pages: the reader contexts that answered the first page. Shards that failed are left
 * out.
 */
function pinned(targets: readonly TargetShard[], result: QueryPhaseResult): TargetShard[] {
  return targets.flatMap((target, i) => {
    const answer = result.answers[i];
    return answer ? [{ ...target, nodeIds: [answer.nodeId], reader: answer.result.context ?? target.reader }] : [];
  });
}

/** Makes the store of the scrolls that clients opened on this node. */
export function createScrolls(context: CoordinatorContext): Scrolls {
  return new NodeScrolls(context);
}

class NodeScrolls implements Scrolls {
  readonly #context: CoordinatorContext;
  readonly #cursors = new Map<number, Cursor>();
  #lastCursor = 0;

  constructor(context: CoordinatorContext) {
    this.#context = context;
  }

  async open(request: SearchRequest, call: CallContext): Promise<JsonAnswer> {
    const context = this.#context;
    if (this.#cursors.size >= context.limits.scrollsMax) throw tooMany(context.limits.scrollsMax);
    const search = await startSearch(context, request, call);
    const keepAliveMs = request.scrollMs!;
    checkKeepAlive(context, keepAliveMs, search.targets);
    const phase = phaseRequest(context, search, call, keepAliveMs);
    const { result, page } = await runPhases(context, search, phase);
    const answer = await withLookedUp(context, await answerOf(context, search, phase, result, page), call);
    const id = ++this.#lastCursor;
    const targets = pinned(search.targets, result);
    const kept = targets.map((target) =>
      search.targets.findIndex((other) => other.shard === target.shard && other.indexUuid === target.indexUuid),
    );
    const all = advance(new Array<Uint8Array>(search.targets.length).fill(NONE_SEEN), page);
    this.#cursors.set(id, {
      search,
      phase,
      withType: call.withType,
      owner: ownerOf(call.subject),
      targets,
      after: kept.map((i) => all[i]!),
      maxScore: answer.maxScore,
      keepAliveMs,
      timer: this.#expireAfter(id, keepAliveMs),
      busy: false,
    });
    return rendered(context, { cursor: id, shards: targets.length }, answer, call);
  }

  async next(
    { cursor: id, shards }: Pick<ScrollId, 'cursor' | 'shards'>,
    keepAliveMs: number | null,
    totalHitsAsInt: boolean,
    owner: string | undefined,
    call: CallContext,
  ): Promise<JsonAnswer> {
    const cursor = this.#cursors.get(id);
    if (!cursor || cursor.owner !== owner) throw contextMissing(String(id), shards, cursor !== undefined);
    if (cursor.busy) throw errors.illegalArgument(`scroll [${id}] is already being read`);
    cursor.busy = true;
    cursor.timer.cancel();
    cursor.keepAliveMs = keepAliveMs ?? cursor.keepAliveMs;
    try {
      // As in 8.12, a page that was asked for without a time to keep the scroll does not repeat its id.
      return await this.#page(id, cursor, { totalHitsAsInt, showsId: keepAliveMs !== null }, call);
    } finally {
      cursor.busy = false;
      // A page without a time is the last one of a single shard. 8.12 keeps those of several shards.
      if (keepAliveMs === null && cursor.targets.length === 1) await this.#drop(id);
      if (this.#cursors.has(id)) cursor.timer = this.#expireAfter(id, cursor.keepAliveMs);
    }
  }

  async clear(id: number, owner: string | undefined): Promise<number> {
    return this.#cursors.get(id)?.owner === owner ? this.#drop(id) : 0;
  }

  async clearAll(): Promise<number> {
    const freed = await Promise.all([...this.#cursors.keys()].map((id) => this.#drop(id)));
    return freed.reduce((sum, shards) => sum + shards, 0);
  }

  async #page(
    id: number,
    cursor: Cursor,
    { totalHitsAsInt, showsId }: { readonly totalHitsAsInt: boolean; readonly showsId: boolean },
    call: CallContext,
  ): Promise<JsonAnswer> {
    const context = this.#context;
    checkKeepAlive(context, cursor.keepAliveMs, cursor.targets);
    const search = nextSearch(context, cursor, totalHitsAsInt, call);
    const phase = nextPhase(cursor, call);
    const { result, page } = await runPhases(context, search, phase);
    cursor.after = advance(cursor.after, page);
    const answer = await withLookedUp(context, await answerOf(context, search, phase, result, page), call);
    const shown = { ...answer, maxScore: cursor.maxScore };
    return rendered(context, { cursor: id, shards: cursor.targets.length }, shown, call, showsId);
  }

  async #drop(id: number): Promise<number> {
    const cursor = this.#cursors.get(id);
    if (!cursor) return 0;
    this.#cursors.delete(id);
    cursor.timer.cancel();
    await freeTargets(this.#context, cursor.targets);
    return cursor.targets.length;
  }

  #expireAfter(id: number, keepAliveMs: number): TimerHandle {
    return this.#context.clock.after(keepAliveMs, () => void this.#drop(id));
  }
}

/** Renders a page with the id for the next one. */
async function rendered(
  { localNodeId, operationIds, clock }: CoordinatorContext,
  id: Pick<ScrollId, 'cursor' | 'shards'>,
  answer: SearchAnswer,
  { signal }: CallContext,
  showsId = true,
): Promise<JsonAnswer> {
  const turns = takeTurns(clock, signal);
  if (!showsId) return { status: 200, chunks: await searchAnswerChunks(answer, turns) };
  const scrollId = encodeScrollId({ nodeId: localNodeId, session: operationIds.coordinator, ...id });
  return { status: 200, chunks: await searchAnswerChunks({ ...answer, scrollId }, turns) };
}

/** Makes the search of a later page, without aggregations and suggestions. */
function nextSearch(
  context: CoordinatorContext,
  cursor: Cursor,
  totalHitsAsInt: boolean,
  call: CallContext,
): RunningSearch {
  const { request, plan, shardPlan, models } = cursor.search;
  return {
    request: { ...request, totalHitsAsInt },
    plan: { ...plan, aggregations: null, suggest: null, profile: false },
    shardPlan,
    targets: cursor.targets,
    models,
    startedMs: startOf(context.clock, call),
    signal: call.signal,
    taskId: call.taskId,
  };
}

function nextPhase(cursor: Cursor, call: CallContext): QueryPhaseRequest {
  return {
    ...cursor.phase,
    targets: cursor.targets,
    options: { ...cursor.phase.options, after: cursor.after },
    fetch: cursor.targets.length === 1,
    keepAliveMs: cursor.keepAliveMs,
    signal: call.signal,
    taskId: call.taskId,
  };
}

function tooMany(limit: number): Error {
  return errors.tooManyScrollContexts(
    `Trying to create too many scroll contexts. Must be less than or equal to: [${limit}]. This limit can be set ` +
      'by changing the [search.max_open_scroll_context] setting.',
  );
}
