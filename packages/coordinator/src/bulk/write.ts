import { checkClusterBlocks } from '@shoal/state';
import type { CoordinatorContext } from '../context.js';
import type { CallContext } from '../call.js';
import { createMissingIndices } from './auto-create.js';
import { documentValuesMax } from './document-values.js';
import { isFailed, resultError, resultMembers, shardsJson, statusOfResult } from './render-write.js';
import {
  type RoutedWrite,
  indexToCreate,
  isRefused,
  requireWrite,
  rightsOf,
  routeOperation,
  type WriteRights,
} from './resolve-operation.js';
import { activeCopies, sendBatch } from './send-batch.js';
import { validateOperation, validationError } from './validate-operation.js';
import type { WriteAnswer, WriteRequest } from './write-request.js';

async function routed(
  context: CoordinatorContext,
  request: WriteRequest,
  rights: WriteRights | null,
): Promise<RoutedWrite> {
  const { operation } = request;
  const nowMs = context.clock.now();
  checkClusterBlocks(context.cluster.state(), 'write');
  if (rights !== null) requireWrite(context, operation, rights);
  if (indexToCreate(context.cluster.state(), operation, nowMs) !== null) {
    const failed = await createMissingIndices(context, [operation], request.timeoutMs, rights);
    const [error] = failed.values();
    if (error) throw error;
  }
  const write = routeOperation(context.cluster.state(), operation, context.autoIds, nowMs, rights);
  if (isRefused(write)) throw write.error;
  return write;
}

function location(write: RoutedWrite): string {
  const routing = write.routing === null ? '' : `?routing=${encodeURIComponent(write.routing)}`;
  return `/${encodeURIComponent(write.index.name)}/_doc/${encodeURIComponent(write.id)}${routing}`;
}

/** Runs a single write, without the parsing and grouping of a bulk. */
export async function write(
  context: CoordinatorContext,
  request: WriteRequest,
  call: CallContext,
): Promise<WriteAnswer> {
  const messages: string[] = [];
  validateOperation(request.operation, messages, documentValuesMax(context.cluster.state()));
  if (messages.length > 0) throw validationError(messages);
  const release = context.takeWrite(request.operation.source.length);
  try {
    return await run(context, request, call);
  } finally {
    release();
  }
}

async function run(context: CoordinatorContext, request: WriteRequest, call: CallContext): Promise<WriteAnswer> {
  const target = await routed(context, request, rightsOf(call, true));
  const batch = { index: target.index, shard: target.shard, writes: [target], positions: [0] };
  const response = await sendBatch(context, batch, request, call);
  const result = response.items[0]!;
  if (isFailed(result)) throw resultError(result);
  const shards = shardsJson(batch, response, activeCopies(context.cluster.state(), batch));
  const members = resultMembers(target, result, {
    forcedRefresh: response.forcedRefresh,
    shards,
    withType: call.withType,
  });
  const status = statusOfResult(result);
  return { status, chunks: [Buffer.from(`{${members}}`)], location: status === 201 ? location(target) : null };
}
