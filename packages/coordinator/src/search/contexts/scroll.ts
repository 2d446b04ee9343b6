import { type Value, encodeValue } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { TimerHandle } from '@shoal/doors';
import type { CoordinatorContext } from '../../context.js';
import { ownerOf } from '../../access.js';
import { type CallContext, type JsonAnswer, startOf } from '../../call.js';
import type { MergedHit } from '../query-phase/merge-hits.js';
import { freeTargets } from './point-in-time.js';
import type { QueryPhaseRequest, QueryPhaseResult } from '../query-phase/phase-request.js';
import { type Page, answerOf, checkKeepAlive, phaseRequest, runPhases, startSearch } from '../search.js';
import type { RunningSearch } from '../running-search.js';
import { searchAnswerChunks } from '../search-answer.js';
import { contextMissing } from '../search-failure.js';
import { encodeScrollId } from './scroll-id.js';
import type { SearchRequest } from '../parse/search-request.js';
import type { TargetShard } from '../targets/search-targets.js';

/** A scroll between two pages. */
interface Cursor {
  readonly search: RunningSearch;
  readonly phase: QueryPhaseRequest;
  readonly withType: boolean;
  /** Who opened it: nobody else is told of it. */
  readonly owner: string | undefined;
  targets: readonly TargetShard[];
  /**
   * Last hit given out from each shard: encodeValue of its sort values, or its score, and its document number, base64.
   */
  after: (string | null)[];
  keepAliveMs: number;
  timer: TimerHandle;
  busy: boolean;
}

export interface Scrolls {
  open(request: SearchRequest, call: CallContext): Promise<JsonAnswer>;
  /** The next page of a scroll that this node keeps. */
  next(
    cursor: number,
    keepAliveMs: number | null,
    totalHitsAsInt: boolean,
    owner: string | undefined,
    call: CallContext,
  ): Promise<JsonAnswer>;
  /** Whether there was such a scroll of that owner. */
  clear(cursor: number, owner: string | undefined): Promise<boolean>;
  clearAll(): Promise<number>;
}

function position(hit: MergedHit): string {
  const { hits, at } = hit;
  const value: Value = [...(hits.sortValues ? hits.sortValues[at]! : [hits.scores?.[at] ?? null]), hits.docs[at]!];
  return Buffer.from(encodeValue(value)).toString('base64');
}

function advance(after: readonly (string | null)[], page: Page): (string | null)[] {
  const next = [...after];
  for (const hit of page.merged) next[hit.hits.target] = position(hit);
  return next;
}

/** Pins later pages to the readers that answered first; shards that failed are left out from then on. */
function pinned(targets: readonly TargetShard[], result: QueryPhaseResult): TargetShard[] {
  return targets.flatMap((target, i) => {
    const answer = result.answers[i];
    return answer ? [{ ...target, nodeIds: [answer.nodeId], reader: answer.result.context ?? target.reader }] : [];
  });
}

/** The scrolls that clients opened through this node. */
export function createScrolls(context: CoordinatorContext): Scrolls {
  const cursors = new Map<number, Cursor>();
  let lastCursor = 0;

  const drop = async (id: number): Promise<boolean> => {
    const cursor = cursors.get(id);
    if (!cursor) return false;
    cursors.delete(id);
    cursor.timer.cancel();
    await freeTargets(context, cursor.targets);
    return true;
  };
  const expireAfter = (id: number, keepAliveMs: number): TimerHandle =>
    context.clock.after(keepAliveMs, () => void drop(id));
  const render = (
    id: number,
    search: RunningSearch,
    phase: QueryPhaseRequest,
    result: QueryPhaseResult,
    page: Page,
  ): JsonAnswer => {
    const answer = answerOf(context, search, phase, result, page);
    return {
      status: 200,
      chunks: searchAnswerChunks({
        ...answer,
        scrollId: encodeScrollId({
          nodeId: context.localNodeId,
          session: context.operationIds.coordinator,
          cursor: id,
        }),
      }),
    };
  };

  return {
    async open(request, call) {
      if (cursors.size >= context.limits.scrollsMax) throw tooMany(context.limits.scrollsMax);
      const search = await startSearch(context, request, call);
      const keepAliveMs = request.scrollMs!;
      checkKeepAlive(context, keepAliveMs, search.targets);
      const phase = phaseRequest(context, search, call, keepAliveMs);
      const { result, page } = await runPhases(context, search, phase);
      const id = ++lastCursor;
      const targets = pinned(search.targets, result);
      const kept = targets.map((target) =>
        search.targets.findIndex((other) => other.shard === target.shard && other.indexUuid === target.indexUuid),
      );
      const all = advance(new Array<string | null>(search.targets.length).fill(null), page);
      const after = kept.map((i) => all[i]!);
      cursors.set(id, {
        search,
        phase,
        withType: call.withType,
        owner: ownerOf(call.subject),
        targets,
        after,
        keepAliveMs,
        timer: expireAfter(id, keepAliveMs),
        busy: false,
      });
      return render(id, search, phase, result, page);
    },
    async next(id, keepAliveMs, totalHitsAsInt, owner, call) {
      const cursor = cursors.get(id);
      if (!cursor || cursor.owner !== owner) throw contextMissing(String(id), cursor !== undefined);
      if (cursor.busy) throw errors.illegalArgument(`scroll [${id}] is already being read`);
      cursor.busy = true;
      cursor.timer.cancel();
      cursor.keepAliveMs = keepAliveMs ?? cursor.keepAliveMs;
      try {
        checkKeepAlive(context, cursor.keepAliveMs, cursor.targets);
        const search = nextSearch(context, cursor, totalHitsAsInt, call);
        const phase = nextPhase(cursor, call);
        const { result, page } = await runPhases(context, search, phase);
        cursor.after = advance(cursor.after, page);
        return render(id, search, phase, result, page);
      } finally {
        cursor.busy = false;
        if (cursors.has(id)) cursor.timer = expireAfter(id, cursor.keepAliveMs);
      }
    },
    clear: async (id, owner) => cursors.get(id)?.owner === owner && drop(id),
    async clearAll() {
      const ids = [...cursors.keys()];
      await Promise.all(ids.map(drop));
      return ids.length;
    },
  };
}

/** Later pages neither aggregate nor suggest. */
function nextSearch(
  context: CoordinatorContext,
  cursor: Cursor,
  totalHitsAsInt: boolean,
  call: CallContext,
): RunningSearch {
  const { request, plan, shardPlan } = cursor.search;
  return {
    request: { ...request, totalHitsAsInt },
    plan: { ...plan, aggregations: null, suggest: null, profile: false },
    shardPlan,
    targets: cursor.targets,
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
