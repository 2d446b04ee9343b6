import type { ApiError } from '@shoal/errors';
import { checkGlobalBlocks } from '../blocks.js';
import type { CoordinatorContext } from '../context.js';
import type { CallContext, JsonAnswer } from '../call.js';
import { createMissingIndices } from './auto-create.js';
import type { BulkRequest } from './bulk-request.js';
import { parseBulk } from './parse-bulk.js';
import { emptyItems, failedItemJson, isFailed, ItemWriter, joinItems, refusedItemJson, setItem, shardsJson } from './render-write.js';
import { type RefusedWrite, type RoutedWrite, isRefused, mayWrite, rightsOf, routeOperation, type WriteRights } from './resolve-operation.js';
import { activeCopies, sendBatch } from './send-batch.js';
import { type ShardBatch, groupByShard } from './shard-batch.js';
import type { WriteOperation, WriteOptions } from './write-request.js';

interface Items {
  /** ITEM_PIECES of `render-write.ts` each. */
  readonly json: string[];
  errors: boolean;
}

function withCreationErrors(write: RoutedWrite | RefusedWrite, failed: ReadonlyMap<string, ApiError>): RoutedWrite | RefusedWrite {
  const error = failed.get(write.operation.index);
  return error && isRefused(write) ? { ...write, error } : write;
}

async function runBatch(context: CoordinatorContext, batch: ShardBatch, options: WriteOptions, call: CallContext, items: Items): Promise<void> {
  try {
    const response = await sendBatch(context, batch, options, call);
    const shards = shardsJson(batch, response, activeCopies(context.cluster.state(), batch));
    const writer = new ItemWriter(items.json, { forcedRefresh: response.forcedRefresh, shards, withType: call.withType });
    for (let i = 0; i < batch.writes.length; i++) {
      const result = response.items[i]!;
      writer.write(batch.positions[i]!, batch.writes[i]!, result);
      if (isFailed(result)) items.errors = true;
    }
  } catch (thrown) {
    const error = context.apiError(thrown);
    items.errors = true;
    batch.writes.forEach((write, i) => setItem(items.json, batch.positions[i]!, failedItemJson(write, error)));
  }
}

function routeAll(context: CoordinatorContext, operations: readonly WriteOperation[], failed: ReadonlyMap<string, ApiError>, items: Items, rights: WriteRights | null): (RoutedWrite | null)[] {
  const state = context.cluster.state();
  const nowMs = context.clock.now();
  return operations.map((operation, position) => {
    const write = withCreationErrors(routeOperation(state, operation, context.autoIds, nowMs, rights), failed);
    if (!isRefused(write)) return write;
    items.errors = true;
    setItem(items.json, position, refusedItemJson(write));
    return null;
  });
}

/** Runs a `_bulk`: its lines are split and routed here, its sources decoded only on their shards. Its bytes count until it is answered. */
export async function bulk(context: CoordinatorContext, request: BulkRequest, call: CallContext): Promise<JsonAnswer> {
  const release = context.takeWrite(request.body.length);
  try {
    return await run(context, request, call);
  } finally {
    release();
  }
}

async function run(context: CoordinatorContext, request: BulkRequest, call: CallContext): Promise<JsonAnswer> {
  const startedMs = context.clock.monotonic();
  const operations = parseBulk(request);
  checkGlobalBlocks(context.cluster.state(), 'write');
  const rights = rightsOf(call, false);
  const failed = await createMissingIndices(context, rights === null ? operations : operations.filter((operation) => mayWrite(context, operation, rights)), request.timeoutMs, rights);
  const items: Items = { json: emptyItems(operations.length), errors: false };
  const batches = groupByShard(routeAll(context, operations, failed, items, rights));
  await Promise.all(batches.map((batch) => runBatch(context, batch, request, call, items)));
  const tookMs = Math.round(context.clock.monotonic() - startedMs);
  const body = `{"errors":${items.errors},"took":${tookMs},"items":[${joinItems(items.json)}]}`;
  return { status: 200, chunks: [Buffer.from(body)] };
}
