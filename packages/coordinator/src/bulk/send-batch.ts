import { type ClusterState, indexBlock, isActive, type ShardRouting, noSuchIndex } from '@shoal/state';
import { type ApiError, errors } from '@shoal/errors';
import { sendMessage } from '@shoal/doors';
import { shard as messages } from '@shoal/protocol';
import { formatTimeValue } from '@shoal/values';
import { activePrimary, copiesOf } from '../active-primary.js';
import { type CallContext, childOf } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { isNodeClosing } from '../next-state.js';
import { isUnavailable } from '../retryable.js';
import { isFailed, resultError } from './render-write.js';
import { batchMessage, type ShardBatch } from './shard-batch.js';
import type { ActiveShardCount, WriteOptions } from './write-request.js';

function primaryOfBatch(state: ClusterState, batch: ShardBatch): ShardRouting | null {
  return activePrimary(state, batch.index.uuid, batch.shard);
}

/** Returns the number of active copies of the shard of a batch. */
export function activeCopies(state: ClusterState, batch: ShardBatch): number {
  return copiesOf(state, batch.index.uuid, batch.shard).filter(isActive).length;
}

function describe(batch: ShardBatch, options: WriteOptions): string {
  const place = `[${batch.index.name}][${batch.shard}]`;
  const [first] = batch.writes;
  const what =
    batch.writes.length === 1
      ? `[${first!.operation.op} ` +
        `{[${batch.index.name}][${first!.id}]${first!.operation.op === 'delete' ? '' : ', source[_na_]'}}]`
      : `[${batch.writes.length}] requests`;
  const refresh =
    options.refresh === 'now' ? ' and a refresh' : options.refresh === 'wait' ? ' blocking until refresh' : '';
  return (
    `Timeout: [${formatTimeValue(options.timeoutMs)}], request: [BulkShardRequest [${place}] containing ` +
    `${what}${refresh}]`
  );
}

function unavailable(batch: ShardBatch, options: WriteOptions, why: string, cause?: ApiError): ApiError {
  return errors.unavailableShards(
    `[${batch.index.name}][${batch.shard}] ${why}${describe(batch, options)}`,
    cause ? { cause } : {},
  );
}

function neededCopies(batch: ShardBatch, wanted: ActiveShardCount | null): number {
  const count = wanted ?? batch.index.settings['index.write.wait_for_active_shards'] ?? 1;
  return count === 'all' ? 1 + batch.index.numberOfReplicas : Number(count);
}

function isReady(state: ClusterState, batch: ShardBatch, needed: number): boolean {
  return primaryOfBatch(state, batch) !== null && (needed <= 1 || activeCopies(state, batch) >= needed);
}

/**
 * Waits at most `leftMs` for the primary and the required number of active copies. Errors name the timeout of the call.
 */
async function waitForCopies(
  context: CoordinatorContext,
  batch: ShardBatch,
  options: WriteOptions,
  leftMs: number,
): Promise<ShardRouting> {
  const needed = neededCopies(batch, options.waitForActiveShards);
  const isGone = (state: ClusterState): boolean => !state.indices.has(batch.index.uuid);
  if (!isReady(context.cluster.state(), batch, needed)) {
    await context.cluster.waitFor((state) => isReady(state, batch, needed) || isGone(state), leftMs);
  }
  const state = context.cluster.state();
  if (isGone(state)) throw noSuchIndex(batch.index.name);
  // A write block may have come meanwhile: who set it reads the index as it is.
  const block = indexBlock(state, state.indices.get(batch.index.uuid)!, 'write');
  if (block) throw block;
  const primary = primaryOfBatch(state, batch);
  if (!primary) throw unavailable(batch, options, 'primary shard is not active ');
  if (isReady(state, batch, needed)) return primary;
  throw unavailable(
    batch,
    options,
    `Not enough active copies to meet shard count of [${needed}] (have ${activeCopies(state, batch)}, needed ` +
      `${needed}). `,
  );
}

/** Values that all attempts to send a batch share. */
interface Attempts {
  readonly batch: ShardBatch;
  readonly options: WriteOptions;
  readonly call: CallContext;
  readonly firstCounter: number;
  /** End of the last attempt, in monotonic milliseconds. */
  readonly deadline: number;
}

async function attempt(
  context: CoordinatorContext,
  { batch, options, call, firstCounter }: Attempts,
  primary: ShardRouting,
  isRetry: boolean,
  leftMs: number,
): Promise<messages.BulkShardResponse> {
  const waitForActive = neededCopies(batch, options.waitForActiveShards);
  const { coordinator } = context.operationIds;
  const request = batchMessage(batch, options.refresh, {
    coordinator,
    firstCounter,
    isRetry,
    waitForActive,
    timeoutMs: leftMs,
    caller: context.tasks.callerOf(call.taskId),
  });
  // A write is not cancelled when its client disconnects: the primary may have applied it already.
  const response = await sendMessage(context.channel(primary.nodeId!), messages.methods.bulk, request, childOf(call));
  const lost = response.items.find(isLost);
  if (lost) throw resultError(lost);
  return response;
}

/**
 * Whether a write failed because the copy was no longer the primary. The batch is then sent again; the shard recognises
 * writes that it has applied by their ids.
 */
function isLost(result: messages.WriteResult): boolean {
  return isFailed(result) && isUnavailable(resultError(result));
}

/**
 * Makes the error for the client from that of the last attempt: unavailable_shards_exception if the shard was not
 * reached in time.
 */
function lastError(context: CoordinatorContext, { batch, options }: Attempts, error: ApiError): ApiError {
  if (!isUnavailable(error) || error.type === 'unavailable_shards_exception') return error;
  return unavailable(
    batch,
    options,
    primaryOfBatch(context.cluster.state(), batch) === null ? 'primary shard is not active ' : '',
    error,
  );
}

/**
 * Sends a batch to the primary of its shard. Waits for a primary if there is none, and retries while it moves or fails.
 * All attempts have the same operation ids, so that a primary does not apply a write twice. Throws errors that concern
 * the whole batch.
 */
export async function sendBatch(
  context: CoordinatorContext,
  batch: ShardBatch,
  options: WriteOptions,
  call: CallContext,
): Promise<messages.BulkShardResponse> {
  const deadline = context.clock.monotonic() + options.timeoutMs;
  const attempts = { batch, options, call, deadline, firstCounter: context.operationIds.take(batch.writes.length) };
  for (let isRetry = false; ; ) {
    const leftMs = Math.max(0, deadline - context.clock.monotonic());
    const primary = await waitForCopies(context, batch, options, leftMs);
    const { version } = context.cluster.state();
    try {
      return await attempt(context, attempts, primary, isRetry, leftMs);
    } catch (thrown) {
      const error = context.apiError(thrown);
      const nowLeftMs = deadline - context.clock.monotonic();
      if (!isUnavailable(error) || nowLeftMs <= 0) throw lastError(context, attempts, error);
      // A batch that was never sent cannot have been applied. Example: n1 sends to n2 and the connection breaks; n2 may
      // have applied the batch, so that the next attempt is a retry.
      isRetry ||= error.type !== 'node_not_connected_exception';
      if (await isNodeClosing(context, version, nowLeftMs)) throw lastError(context, attempts, error);
    }
  }
}
