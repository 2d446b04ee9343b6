import { type ApiError, answeredWith } from '@shoal/errors';
import type { CoordinatorContext } from '../context.js';
import { keepRefused } from '../quarantine/keep-refused.js';
import { isMappingRefusal, isPipelineRefusal, RefusedDocument } from '../quarantine/refusal.js';
import { answersCreated, quarantinedMember } from '../quarantine/refused-items.js';
import type { CallContext } from '../call.js';
import { createMissingIndices } from './auto-create.js';
import { documentValuesMax } from './document-values.js';
import type { shard as messages } from '@shoal/protocol';
import { type FailedIngest, ingestPiece, type PlannedDocument, planPipelines } from '../ingest/ingest-piece.js';
import { answeredGetOf, type GetOf, preparedOperation } from '../ingest/prepared-update.js';
import { NO_PIPELINES, pipelinesOfIndex } from '../ingest/resolve-pipelines.js';
import { droppedMembers, isFailed, resultError, resultMembers, shardsJson, statusOfResult } from './render-write.js';
import {
  type RoutedWrite,
  indexToCreate,
  isRefused,
  isRoutingMissing,
  requireWrite,
  rightsOf,
  routeOperation,
  type WriteRights,
} from './resolve-operation.js';
import { awaitWritable } from './await-writable.js';
import { activeCopies, sendBatch } from './send-batch.js';
import type { ShardBatch } from './shard-batch.js';
import { selectsSource } from './update-body.js';
import { validateOperation, validationError } from './validate-operation.js';
import { isTimeSeries } from '@shoal/state';
import type { WriteAnswer, WriteOperation, WriteRequest } from './write-request.js';

async function routed(
  context: CoordinatorContext,
  request: WriteRequest,
  rights: WriteRights | null,
): Promise<RoutedWrite> {
  const { operation } = request;
  await awaitWritable(context, request.timeoutMs);
  const nowMs = context.clock.now();
  if (rights !== null) requireWrite(context, operation, rights);
  if (indexToCreate(context.cluster.state(), operation, nowMs) !== null) {
    const failed = await createMissingIndices(context, [operation], request.timeoutMs, rights);
    const [error] = failed.values();
    if (error) throw error;
  }
  const write = routeOperation(context.cluster.state(), operation, context, nowMs, rights);
  if (!isRefused(write)) return ofNewPoint(write);
  const { error, indexName } = write;
  throw isRoutingMissing(error) ? refusedBy(error, operation, indexName) : error;
}

/** A single write without an id never replaces a document, in an index of time series either. */
function ofNewPoint(write: RoutedWrite): RoutedWrite {
  const { operation } = write;
  if (operation.op !== 'index' || operation.id !== null || !isTimeSeries(write.index)) return write;
  return { ...write, operation: { ...operation, op: 'create' } };
}

/** What is thrown for an error of a shard or of routing: it says so if the document was refused. */
function refusedBy(error: ApiError, { op }: WriteOperation, index: string): ApiError | RefusedDocument {
  return isMappingRefusal(op, error) ? new RefusedDocument(error, 'mapping', null, index) : error;
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
  try {
    return await writeUnkept(context, request, call);
  } catch (thrown) {
    if (!(thrown instanceof RefusedDocument)) throw thrown;
    return await answerRefused(context, request, call, thrown);
  }
}

/** Runs a single write. Throws a RefusedDocument, which is kept nowhere, if a pipeline or the mapping refuses it. */
export async function writeUnkept(
  context: CoordinatorContext,
  request: WriteRequest,
  call: CallContext,
): Promise<WriteAnswer> {
  const messages: string[] = [];
  validateOperation(request.operation, messages, documentValuesMax(context.cluster.state()));
  if (messages.length > 0) throw validationError(messages);
  const release = context.takeWrite(request.operation.source.length);
  try {
    return await run(context, withBodySource(request), call);
  } finally {
    release();
  }
}

/** Keeps a refused document if that is asked for. Throws its error, which says where it is kept, or answers 201. */
async function answerRefused(
  context: CoordinatorContext,
  { operation, quarantine, timeoutMs }: WriteRequest,
  call: CallContext,
  { error, stage, at, index }: RefusedDocument,
): Promise<WriteAnswer> {
  const [kept] = await keepRefused(context, [{ operation, error, stage, at, index }], quarantine, timeoutMs, call);
  if (!kept) throw error;
  if (answersCreated(context))
    return { status: 201, chunks: [Buffer.from(`{${kept.members},${quarantinedMember(kept)}}`)], location: null };
  throw answeredWith(error, { quarantined: { _index: kept.index, _id: kept.id } });
}

/** The request without the part of the document that its parameters select, if its body selects one: the body wins. */
function withBodySource(request: WriteRequest): WriteRequest {
  const { operation } = request;
  if (operation.updateSource === undefined || !selectsSource(operation.source)) return request;
  return { ...request, operation: { ...operation, updateSource: undefined } };
}

async function run(context: CoordinatorContext, request: WriteRequest, call: CallContext): Promise<WriteAnswer> {
  const { operation } = request;
  if (operation.op === 'update') {
    const hasPipelines =
      pipelinesOfIndex(context.cluster.state(), operation.index, context.clock.now()) !== NO_PIPELINES;
    return hasPipelines ? runPreparedUpdate(context, request, call) : send(context, request, call);
  }
  const planned = planPipelines(context, [operation]);
  if (planned.length === 0) return send(context, request, call);
  const rights = rightsOf(call, true);
  // Pipelines may name another index: that one is checked when it is written to.
  if (rights !== null) requireWrite(context, operation, rights);
  return sendIngested(context, request, call, null, planned);
}

async function sendIngested(
  context: CoordinatorContext,
  request: WriteRequest,
  call: CallContext,
  getOf: GetOf | null,
  planned: readonly PlannedDocument[],
): Promise<WriteAnswer> {
  const { results, release } = await ingestPiece(context, planned, call);
  try {
    const ingested = results.get(0)!;
    if (ingested.kind === 'failed') throw failedIn(ingested);
    if (ingested.kind === 'write')
      return await send(context, { ...request, operation: ingested.operation }, call, getOf);
    return { status: 200, chunks: [Buffer.from(`{${droppedMembers(request.operation)}}`)], location: null };
  } finally {
    release();
  }
}

function failedIn({ operation, error, at }: FailedIngest): ApiError | RefusedDocument {
  return isPipelineRefusal(error, at) ? new RefusedDocument(error, 'pipeline', at, operation.index) : error;
}

/**
 * Runs an update of an index with pipelines. They change the document that the update would write, so its shard only
 * prepares that, and the result is written if the document is still the one that it was made of; else the update is
 * run again, `retry_on_conflict` times. In a bulk, pipelines change the document of an upsert only, as in 8.12.
 */
async function runPreparedUpdate(
  context: CoordinatorContext,
  request: WriteRequest,
  call: CallContext,
): Promise<WriteAnswer> {
  const { operation } = request;
  for (let retries = operation.retryOnConflict; ; retries--) {
    const prepared = await deliver(context, { ...request, operation: { ...operation, isPrepared: true } }, call);
    const next = preparedOperation(operation, prepared.result);
    // Nothing to write, a deletion, or an older node that has written the document.
    if (next === null) return answerOf(context, prepared, call);
    const release = context.takeWrite(next.source.length);
    try {
      const planned = planPipelines(context, [next]);
      const write = planned.length === 0 ? send : sendIngested;
      const getOf = answeredGetOf(operation, next.source);
      return await write(context, { ...request, operation: next }, call, getOf, planned);
    } catch (thrown) {
      if (retries <= 0 || context.apiError(thrown).type !== 'version_conflict_engine_exception') throw thrown;
    } finally {
      release();
    }
  }
}

/** Returns the write of the document that an update would make; null if it would write none. Writes nothing. */
export async function foreseeUpdate(
  context: CoordinatorContext,
  request: WriteRequest,
  call: CallContext,
): Promise<WriteOperation | null> {
  const { operation } = request;
  const prepared = await deliver(context, { ...request, operation: { ...operation, isPrepared: true } }, call);
  return preparedOperation(operation, prepared.result);
}

/** A write and what its shard answered. */
interface DeliveredWrite {
  readonly batch: ShardBatch;
  readonly target: RoutedWrite;
  readonly response: messages.BulkShardResponse;
  readonly result: messages.WriteResult;
}

async function deliver(context: CoordinatorContext, request: WriteRequest, call: CallContext): Promise<DeliveredWrite> {
  const target = await routed(context, request, rightsOf(call, true));
  const batch = { index: target.index, shard: target.shard, writes: [target], positions: [0] };
  const response = await sendBatch(context, batch, request, call);
  const result = response.items[0]!;
  if (isFailed(result)) throw refusedBy(resultError(result), request.operation, target.index.name);
  return { batch, target, response, result };
}

function answerOf(
  context: CoordinatorContext,
  { batch, target, response, result }: DeliveredWrite,
  call: CallContext,
): WriteAnswer {
  const shards = shardsJson(batch, response, activeCopies(context.cluster.state(), batch));
  const members = resultMembers(target, result, {
    forcedRefresh: response.forcedRefresh,
    shards,
    isSingle: true,
    withType: call.withType,
  });
  const status = statusOfResult(result);
  return { status, chunks: [Buffer.from(`{${members}}`)], location: status === 201 ? location(target) : null };
}

async function send(
  context: CoordinatorContext,
  request: WriteRequest,
  call: CallContext,
  getOf: GetOf | null = null,
): Promise<WriteAnswer> {
  const delivered = await deliver(context, request, call);
  const { result } = delivered;
  return answerOf(context, getOf ? { ...delivered, result: { ...result, get: getOf(result) } } : delivered, call);
}
