import { type ClusterState, isActive, type ShardRouting, noSuchIndex } from '@shoal/state';
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

/** Copies of the batch's shard that take part in writes now. */
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

/** Waits `leftMs` at most; errors name the timeout of the call. */
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

/** What the attempts of one batch share. */
interface Attempts {
  readonly batch: ShardBatch;
  readonly options: WriteOptions;
  readonly call: CallContext;
  readonly firstCounter: number;
  /** Monotonic milliseconds. */
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
  // A write is not withdrawn when its client is gone: it would have to be told apart from one that was applied.
  const response = await sendMessage(context.channel(primary.nodeId!), messages.methods.bulk, request, childOf(call));
  const lost = response.items.find(isLost);
  if (lost) throw resultError(lost);
  return response;
}

/** Whether the primary stopped being one before it came to a write. The others are found again by their names. */
function isLost(result: messages.WriteResult): boolean {
  return isFailed(result) && isUnavailable(resultError(result));
}

/**
 * The error of the last attempt as a client sees it: that the shard could not be written to in time, whatever stood in
 * the way.
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
 * Sends a batch to its primary, waiting for one where there is none yet and following it when it moves or fails.
 * Repeated attempts name the same operations, which a primary that has them already does not apply again. Throws what
 * concerns the whole batch.
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
      // What was never sent cannot have been applied; anything else may have been.
      isRetry ||= error.type !== 'node_not_connected_exception';
      if (await isNodeClosing(context, version, nowLeftMs)) throw lastError(context, attempts, error);
    }
  }
}
