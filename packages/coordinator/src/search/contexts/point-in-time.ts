import { sendMessage } from '@shoal/doors';
import type { JsonObject } from '@shoal/json';
import type { AccessLimits } from '@shoal/mapping';
import { decodeLimits, errorOf, shard as messages } from '@shoal/protocol';
import type { IndexMetadata } from '@shoal/state';
import { broadcast } from '../../admin/broadcast.js';
import type { CoordinatorContext } from '../../context.js';
import { ACTIONS, accessOf, ownerOf } from '../../access.js';
import type { CallContext, JsonAnswer } from '../../call.js';
import type { IndexExpression } from '../../index-expression.js';
import { encodeUtf8 } from '../../json-bytes.js';
import { mayAnswerElsewhere } from '../../retryable.js';
import { freeContexts } from '../fetch-phase/fetch-phase.js';
import { decodePointInTime, encodePointInTime } from './pit-id.js';
import { checkKeepAlive } from '../search.js';
import { shardTarget } from '../query-phase/phase-request.js';
import { noCopy, type SearchFailure, searchPhaseError } from '../search-failure.js';
import { compareShards } from '../targets/search-shards.js';
import { type TargetShard, targetShards } from '../targets/search-targets.js';

interface Opened {
  readonly targets: TargetShard[];
  readonly failures: SearchFailure[];
  /** Shards whose copy failed and whose next copy will be asked. */
  readonly again: TargetShard[];
}

function openMessage(targets: readonly TargetShard[], keepAliveMs: number): messages.OpenContextRequest {
  return { targets: targets.map((target) => ({ ...shardTarget(target), context: undefined })), keepAliveMs };
}

function noteFailure(context: CoordinatorContext, target: TargetShard, thrown: unknown, opened: Opened): void {
  const error = context.apiError(thrown);
  if (mayAnswerElsewhere(error) && target.nodeIds.length > 1)
    opened.again.push({ ...target, nodeIds: target.nodeIds.slice(1) });
  else opened.failures.push({ shard: target.shard, index: target.indexName, nodeId: target.nodeIds[0] ?? null, error });
}

async function openOnNode(
  context: CoordinatorContext,
  nodeId: string,
  targets: readonly TargetShard[],
  keepAliveMs: number,
  opened: Opened,
): Promise<void> {
  try {
    const request = openMessage(targets, keepAliveMs);
    const answer = await sendMessage(context.channel(nodeId), messages.methods.openContexts, request);
    targets.forEach((target, i) => {
      const error = answer.errors[i];
      if (error && error.type !== '') noteFailure(context, target, errorOf(error), opened);
      else opened.targets.push({ ...target, nodeIds: [nodeId], reader: answer.contexts[i]! });
    });
  } catch (error) {
    for (const target of targets) noteFailure(context, target, error, opened);
  }
}

/** Opens a reader context on one copy of each shard. If a copy fails, the next one is asked. */
async function openAll(
  context: CoordinatorContext,
  targets: readonly TargetShard[],
  keepAliveMs: number,
): Promise<Opened> {
  const opened: Opened = { targets: [], failures: [], again: [] };
  for (let asked = targets; asked.length > 0; asked = opened.again.splice(0)) {
    const missing = asked.filter((target) => target.nodeIds.length === 0);
    opened.failures.push(...missing.map(noCopy));
    const there = asked.filter((target) => target.nodeIds.length > 0);
    await Promise.all(
      [...byFirstNode(there)].map(([nodeId, list]) => openOnNode(context, nodeId, list, keepAliveMs, opened)),
    );
  }
  return opened;
}

function byFirstNode(targets: readonly TargetShard[]): Map<string, TargetShard[]> {
  const nodes = new Map<string, TargetShard[]>();
  for (const target of targets) {
    const nodeId = target.nodeIds[0] ?? '';
    nodes.set(nodeId, [...(nodes.get(nodeId) ?? []), target]);
  }
  return nodes;
}

/** Which shards a point in time is made of. */
export interface ShardChoice {
  /** Routing and preference; null for none. */
  readonly routing: string | null;
  readonly preference: string | null;
  /** A query: shards that cannot match it are left out. Absent: all of them. */
  readonly filter?: JsonObject;
}

/** Leaves out shards that cannot match a query. Those that do not answer stay, and tell of it when they are opened. */
async function matchingTargets(
  context: CoordinatorContext,
  targets: readonly TargetShard[],
  query: JsonObject,
): Promise<readonly TargetShard[]> {
  const access = new Map(targets.map((target) => [target.indexUuid, target.access]));
  const asked = [...context.cluster.state().indices.values()].filter(({ uuid }) => access.has(uuid));
  const limitsOf = ({ uuid }: IndexMetadata): AccessLimits | null => {
    const bytes = access.get(uuid);
    return bytes === undefined ? null : decodeLimits(bytes);
  };
  const body = { query, runtime: null, nowMs: context.clock.now() };
  const { shards } = await broadcast(context, asked, 'filter_matches', body, 'one', limitsOf);
  const keyOf = (indexUuid: string, shard: number): string => `${indexUuid}/${shard}`;
  const without = new Set(
    shards
      .filter(({ body: answer }) => !(answer as { readonly matches: boolean }).matches)
      .map(({ indexUuid, shard }) => keyOf(indexUuid, shard)),
  );
  return targets.filter(({ indexUuid, shard }) => !without.has(keyOf(indexUuid, shard)));
}

/** Opens a point in time: a reader context on one copy of every shard. Its id contains all of them. */
export async function openPointInTime(
  context: CoordinatorContext,
  target: IndexExpression,
  keepAliveMs: number,
  { routing, preference, filter }: ShardChoice,
  call: CallContext,
): Promise<JsonAnswer> {
  const targets = targetShards(context, target, {
    routing,
    preference,
    indicesBoost: [],
    access: accessOf(call, ACTIONS.openPointInTime),
    owner: ownerOf(call.subject),
  });
  checkKeepAlive(context, keepAliveMs, targets);
  const chosen = filter === undefined ? targets : await matchingTargets(context, targets, filter);
  const opened = await openAll(context, chosen, keepAliveMs);
  if (opened.failures.length > 0) {
    await freeTargets(context, opened.targets);
    throw searchPhaseError('open_search_context', 'all shards failed', opened.failures);
  }
  opened.targets.sort((a, b) => compareShards(a.shard, a.indexName, b.shard, b.indexName));
  return { status: 200, chunks: [encodeUtf8(`{"id":"${encodePointInTime(opened.targets)}"}`)] };
}

/** Closes the reader contexts of targets. Returns the number closed. */
export async function freeTargets(context: CoordinatorContext, targets: readonly TargetShard[]): Promise<number> {
  const freed = await Promise.all(
    [...byFirstNode(targets)].map(([nodeId, list]) =>
      freeContexts(
        context,
        nodeId,
        list.flatMap((target) => target.reader ?? []),
        list[0]?.owner,
      ),
    ),
  );
  return freed.reduce((sum, count) => sum + count, 0);
}

/** Closes a point in time. Status 404 if none of its contexts was open. */
export async function closePointInTime(
  context: CoordinatorContext,
  id: string,
  call: CallContext,
): Promise<JsonAnswer> {
  const owner = ownerOf(call.subject);
  const freed = await freeTargets(
    context,
    decodePointInTime(id).map((target) => ({ ...target, owner })),
  );
  return { status: freed > 0 ? 200 : 404, chunks: [encodeUtf8(`{"succeeded":${freed > 0},"num_freed":${freed}}`)] };
}
