import { type WireError, decodeError } from '@shoal/errors';
import { shard as messages } from '@shoal/protocol';
import type { CoordinatorContext } from '../context.js';
import type { JsonAnswer } from '../call.js';
import type { IndexExpression } from '../index-expression.js';
import { decodeJson, utf8 } from '../json-bytes.js';
import { freeContexts } from './fetch-phase.js';
import { decodePointInTime, encodePointInTime } from './pit-id.js';
import { checkKeepAlive } from './search.js';
import { type SearchFailure, searchPhaseError } from './search-failure.js';
import { type TargetShard, targetShards } from './search-targets.js';

interface Opened {
  readonly targets: TargetShard[];
  readonly failures: SearchFailure[];
}

async function openOnNode(context: CoordinatorContext, nodeId: string, targets: readonly TargetShard[], keepAliveMs: number, opened: Opened): Promise<void> {
  const request = messages.encodeOpenContextRequest({
    targets: targets.map((target) => ({
      shard: { indexUuid: target.indexUuid, shard: target.shard },
      indexName: target.indexName,
      filter: target.filter,
      boost: target.boost,
      context: undefined,
    })),
    keepAliveMs,
  });
  const fail = (target: TargetShard, error: unknown): void =>
    void opened.failures.push({ shard: target.shard, index: target.indexName, nodeId, error: context.apiError(error) });
  try {
    const answer = messages.decodeOpenContextResponse(await context.channel(nodeId).request('shard/open-contexts', request));
    targets.forEach((target, i) => {
      const error = answer.errors[i];
      if (error && error.length > 0) fail(target, decodeError(decodeJson(error) as WireError));
      else opened.targets.push({ ...target, nodeIds: [nodeId], reader: answer.contexts[i]! });
    });
  } catch (error) {
    for (const target of targets) fail(target, error);
  }
}

function byFirstNode(targets: readonly TargetShard[]): Map<string, TargetShard[]> {
  const nodes = new Map<string, TargetShard[]>();
  for (const target of targets) {
    const nodeId = target.nodeIds[0] ?? '';
    nodes.set(nodeId, [...(nodes.get(nodeId) ?? []), target]);
  }
  return nodes;
}

/** Opens a reader context on one copy of every shard; its id names them all. */
export async function openPointInTime(context: CoordinatorContext, target: IndexExpression, keepAliveMs: number, routing: string | null, preference: string | null): Promise<JsonAnswer> {
  const targets = targetShards(context, target, { routing, preference, indicesBoost: [] });
  checkKeepAlive(context, keepAliveMs, targets);
  const opened: Opened = { targets: [], failures: [] };
  await Promise.all([...byFirstNode(targets)].map(([nodeId, list]) => openOnNode(context, nodeId, list, keepAliveMs, opened)));
  if (opened.failures.length > 0) {
    await freeTargets(context, opened.targets);
    throw searchPhaseError('open_search_context', 'all shards failed', opened.failures);
  }
  opened.targets.sort((a, b) => (a.indexName < b.indexName ? -1 : a.indexName > b.indexName ? 1 : a.shard - b.shard));
  return { status: 200, chunks: [utf8(`{"id":"${encodePointInTime(opened.targets)}"}`)] };
}

/** Frees the contexts of targets; returns how many there were. */
export async function freeTargets(context: CoordinatorContext, targets: readonly TargetShard[]): Promise<number> {
  const freed = await Promise.all(
    [...byFirstNode(targets)].map(([nodeId, list]) => freeContexts(context, nodeId, list.flatMap((target) => target.reader ?? []))),
  );
  return freed.reduce((sum, count) => sum + count, 0);
}

/** Closes a point in time: 404 when nothing of it was left. */
export async function closePointInTime(context: CoordinatorContext, id: string): Promise<JsonAnswer> {
  const freed = await freeTargets(context, decodePointInTime(id));
  return { status: freed > 0 ? 200 : 404, chunks: [utf8(`{"succeeded":${freed > 0},"num_freed":${freed}}`)] };
}
