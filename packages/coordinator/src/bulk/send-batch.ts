import { type ClusterState, type ShardRouting, noSuchIndex } from '@shoal/cluster';
import { type ApiError, errors } from '@shoal/errors';
import { shard as messages } from '@shoal/protocol';
import { formatTimeValue } from '@shoal/values';
import type { CoordinatorContext } from '../context.js';
import { type ShardBatch, encodeBatch } from './shard-batch.js';
import type { ActiveShardCount, WriteOptions } from './write-request.js';

/** Errors after which the same batch may be sent again: it never reached a primary. */
const RETRIED = new Set(['no_shard_available_action_exception', 'shard_not_found_exception', 'shard_not_in_primary_mode_exception', 'node_not_connected_exception', 'node_disconnected_exception']);

/** After a refusal the next state is awaited, but not for ever: the link may be back without one. */
const RETRY_PAUSE_MS = 500;

const isActive = (copy: ShardRouting | undefined): boolean => copy !== undefined && copy.nodeId !== null && (copy.state === 'STARTED' || copy.state === 'RELOCATING');

function copiesOf(state: ClusterState, batch: ShardBatch): readonly ShardRouting[] {
  return state.routing.get(batch.index.uuid)?.[batch.shard] ?? [];
}

function activePrimary(state: ClusterState, batch: ShardBatch): ShardRouting | null {
  const primary = copiesOf(state, batch).find((copy) => copy.primary);
  return isActive(primary) ? primary! : null;
}

/** Copies of the batch's shard that take part in writes now. */
export function activeCopies(state: ClusterState, batch: ShardBatch): number {
  return copiesOf(state, batch).filter(isActive).length;
}

function describe(batch: ShardBatch, options: WriteOptions): string {
  const place = `[${batch.index.name}][${batch.shard}]`;
  const [first] = batch.writes;
  const what = batch.writes.length === 1 ? `[${first!.operation.op} {[${batch.index.name}][${first!.id}]${first!.operation.op === 'delete' ? '' : ', source[_na_]'}}]` : `[${batch.writes.length}] requests`;
  const refresh = options.refresh === 'now' ? ' and a refresh' : options.refresh === 'wait' ? ' blocking until refresh' : '';
  return `Timeout: [${formatTimeValue(options.timeoutMs)}], request: [BulkShardRequest [${place}] containing ${what}${refresh}]`;
}

function unavailable(batch: ShardBatch, options: WriteOptions, why: string): ApiError {
  return errors.unavailableShards(`[${batch.index.name}][${batch.shard}] ${why} ${describe(batch, options)}`);
}

function neededCopies(batch: ShardBatch, wanted: ActiveShardCount | null): number {
  const count = wanted ?? batch.index.settings['index.write.wait_for_active_shards'] ?? 1;
  return count === 'all' ? 1 + batch.index.numberOfReplicas : Number(count);
}

function isReady(state: ClusterState, batch: ShardBatch, needed: number): boolean {
  return activePrimary(state, batch) !== null && (needed <= 1 || activeCopies(state, batch) >= needed);
}

/** Waits `leftMs` at most; errors name the timeout of the call. */
async function waitForCopies(context: CoordinatorContext, batch: ShardBatch, options: WriteOptions, leftMs: number): Promise<ShardRouting> {
  const needed = neededCopies(batch, options.waitForActiveShards);
  const isGone = (state: ClusterState): boolean => !state.indices.has(batch.index.uuid);
  if (!isReady(context.cluster.state(), batch, needed)) {
    await context.cluster.waitFor((state) => isReady(state, batch, needed) || isGone(state), leftMs);
  }
  const state = context.cluster.state();
  if (isGone(state)) throw noSuchIndex(batch.index.name);
  const primary = activePrimary(state, batch);
  if (!primary) throw unavailable(batch, options, 'primary shard is not active');
  if (isReady(state, batch, needed)) return primary;
  throw unavailable(batch, options, `Not enough active copies to meet shard count of [${needed}] (have ${activeCopies(state, batch)}, needed ${needed}).`);
}

/** Sends a batch to its primary, waiting for one where there is none yet and following it when it moves. Throws what concerns the whole batch. */
export async function sendBatch(context: CoordinatorContext, batch: ShardBatch, options: WriteOptions): Promise<messages.BulkShardResponse> {
  const deadline = context.clock.monotonic() + options.timeoutMs;
  for (;;) {
    const leftMs = Math.max(0, deadline - context.clock.monotonic());
    const primary = await waitForCopies(context, batch, options, leftMs);
    try {
      const answer = await context.channel(primary.nodeId!).request('shard/bulk', encodeBatch(batch, options.refresh));
      return messages.decodeBulkShardResponse(answer);
    } catch (thrown) {
      const error = context.apiError(thrown);
      if (!RETRIED.has(error.type) || leftMs === 0) throw error;
      const version = context.cluster.state().version;
      await context.cluster.waitFor((state) => state.version !== version, Math.min(leftMs, RETRY_PAUSE_MS));
    }
  }
}
