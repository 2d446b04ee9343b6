import { type IndexMetadata, isRelocationTarget, type ShardRouting } from '@shoal/state';
import { decodeError, type WireError } from '@shoal/errors';
import { activePrimary } from '../active-primary.js';
import type { CoordinatorContext } from '../context.js';
import { encodeJson } from '../json-bytes.js';
import { isNodeClosing } from '../next-state.js';
import { isUnavailable } from '../retryable.js';
import { type BroadcastAnswer, callCopy, type ShardAnswer, type ShardFailure } from './broadcast.js';

/** Limit for following a primary that moves or fails, as in Elasticsearch 8.12. */
const TIMEOUT_MS = 60_000;
const NOTHING = encodeJson({});

/** Answer of the primary for all copies of its shard. A copy whose store was not opened yet counts as refreshed. */
interface Refreshed {
  /** Number of refreshed copies, the primary included; absent for 1. */
  readonly successful?: number;
  readonly failures?: readonly { readonly nodeId: string; readonly error: WireError }[];
}

interface Outcome {
  readonly successful: number;
  readonly answers: readonly ShardAnswer[];
  readonly failures: readonly ShardFailure[];
}

const NOBODY: Outcome = { successful: 0, answers: [], failures: [] };

function outcomeOf(index: IndexMetadata, copy: ShardRouting, body: Refreshed): Outcome {
  const failures = (body.failures ?? []).map(({ nodeId, error }) => ({
    index: index.name,
    shard: copy.shard,
    nodeId,
    error: decodeError(error),
  }));
  return {
    successful: body.successful ?? 1,
    answers: [
      { indexUuid: index.uuid, index: index.name, shard: copy.shard, nodeId: copy.nodeId!, primary: true, body },
    ],
    failures,
  };
}

/**
 * Refreshes a shard through its primary, and retries while the primary moves or fails. Without an active primary there
 * is nothing to refresh.
 */
async function refreshShard(context: CoordinatorContext, index: IndexMetadata, shard: number): Promise<Outcome> {
  const deadline = context.clock.monotonic() + TIMEOUT_MS;
  for (;;) {
    const state = context.cluster.state();
    const copy = activePrimary(state, index.uuid, shard);
    if (!copy) return NOBODY;
    try {
      return outcomeOf(
        index,
        copy,
        (await callCopy(context, { index, copy }, 'refresh', NOTHING, undefined)) as Refreshed,
      );
    } catch (thrown) {
      const error = context.apiError(thrown);
      const leftMs = deadline - context.clock.monotonic();
      const isOver = !isUnavailable(error) || leftMs <= 0 || (await isNodeClosing(context, state.version, leftMs));
      if (isOver) return { ...NOBODY, failures: [{ index: index.name, shard, nodeId: copy.nodeId, error }] };
    }
  }
}

/**
 * Makes all acknowledged operations visible to searches that begin after the answer. Each primary is asked: it knows
 * the copies that have the operations, even if the cluster state of this node is behind.
 */
export async function refresh(
  context: CoordinatorContext,
  indices: readonly IndexMetadata[],
): Promise<BroadcastAnswer> {
  const { routing } = context.cluster.state();
  const tables = indices.map((index) => ({ index, table: routing.get(index.uuid) ?? [] }));
  const outcomes = await Promise.all(
    tables.flatMap(({ index, table }) => table.map((_, shard) => refreshShard(context, index, shard))),
  );
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  return {
    total: tables
      .flatMap(({ table }) => table)
      .flat()
      .filter((copy) => !isRelocationTarget(copy)).length,
    successful: outcomes.reduce((sum, { successful }) => sum + successful, 0),
    failed: failures.length,
    failures,
    shards: outcomes.flatMap(({ answers }) => answers),
  };
}
