import { type IndexMetadata, checkClusterBlocks } from '@shoal/state';
import type { ApiError } from '@shoal/errors';
import { refresh } from '../admin/refresh.js';
import type { CoordinatorContext } from '../context.js';
import type { CallContext, JsonAnswer } from '../call.js';
import { createMissingIndices } from './auto-create.js';
import type { BulkRequest } from './bulk-request.js';
import { checkWhole, PIECE_OPERATIONS_MAX, type PieceReader, readPieces } from './parse-bulk.js';
import { documentValuesMax } from './document-values.js';
import {
  emptyItems,
  failedItemJson,
  isFailed,
  ItemWriter,
  joinItems,
  refusedItemJson,
  setItem,
  shardsJson,
} from './render-write.js';
import {
  type RefusedWrite,
  type RoutedWrite,
  isRefused,
  mayWrite,
  rightsOf,
  routeOperation,
  type WriteRights,
} from './resolve-operation.js';
import { activeCopies, sendBatch } from './send-batch.js';
import { type ShardBatch, groupByShard } from './shard-batch.js';
import type { WriteOperation, WriteOptions } from './write-request.js';

interface Items {
  /** Texts of the items, `ITEM_PIECES` for each (see `render-write.ts`). */
  readonly json: string[];
  errors: boolean;
}

function withCreationErrors(
  write: RoutedWrite | RefusedWrite,
  failed: ReadonlyMap<string, ApiError>,
): RoutedWrite | RefusedWrite {
  const error = failed.get(write.operation.index);
  return error && isRefused(write) ? { ...write, error } : write;
}

async function runBatch(
  context: CoordinatorContext,
  batch: ShardBatch,
  options: WriteOptions,
  call: CallContext,
  items: Items,
): Promise<void> {
  try {
    const response = await sendBatch(context, batch, options, call);
    const shards = shardsJson(batch, response, activeCopies(context.cluster.state(), batch));
    const writer = new ItemWriter(items.json, {
      forcedRefresh: response.forcedRefresh,
      shards,
      withType: call.withType,
    });
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

function routeAll(
  context: CoordinatorContext,
  operations: readonly WriteOperation[],
  failed: ReadonlyMap<string, ApiError>,
  items: Items,
  rights: WriteRights | null,
): (RoutedWrite | null)[] {
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

/**
 * Estimated memory of an operation besides its source until it is answered. It matters for large bulks with small
 * documents.
 */
const OPERATION_BYTES = 200;
/** Estimated size of an item in the answer. */
const ITEM_BYTES = 160;

/** Size of the sample that `estimateBytes` reads. Smaller bodies are parsed without an estimate. */
const SAMPLE_BYTES = 16 * 1024;
const NEWLINE = 10;

/** Estimates the memory of a body from the lines of its first 16 KiB, two lines for each operation. */
function estimateBytes(body: Uint8Array): number {
  let lines = 0;
  for (let i = 0; i < SAMPLE_BYTES; i++) if (body[i] === NEWLINE) lines++;
  const operations = ((lines / 2) * body.length) / SAMPLE_BYTES;
  return body.length + Math.round(Math.min(operations, PIECE_OPERATIONS_MAX)) * OPERATION_BYTES;
}

/**
 * Refuses a large body for which there is no memory before it is parsed, as parsing costs a good part of the time of a
 * write.
 */
function checkRoom(context: CoordinatorContext, { body }: BulkRequest): void {
  if (body.length > SAMPLE_BYTES) context.checkWrite(estimateBytes(body));
}

/**
 * Runs a `_bulk`. Its lines are split and routed here; sources are parsed on their shards only. Its bytes are charged
 * until it is answered. If any line is malformed, nothing is written.
 */
export async function bulk(context: CoordinatorContext, request: BulkRequest, call: CallContext): Promise<JsonAnswer> {
  const startedMs = context.clock.monotonic();
  checkRoom(context, request);
  const messages: string[] = [];
  const reader = readPieces(request, documentValuesMax(context.cluster.state()));
  const first = reader.next(messages);
  const release = context.takeWrite(request.body.length + first.length * OPERATION_BYTES, request.body.length);
  try {
    const written = reader.isOver
      ? await runWhole(context, request, call, { reader, first, messages })
      : await runPieces(context, request, call, { reader, first, messages });
    const tookMs = Math.round(context.clock.monotonic() - startedMs);
    return {
      status: 200,
      chunks: [Buffer.from(`{"errors":${written.errors},"took":${tookMs},"items":[`), ...written.chunks, CLOSING],
    };
  } finally {
    release();
  }
}

const CLOSING = Buffer.from(']}');
const COMMA = Buffer.from(',');

/** A body whose first piece is parsed. */
interface StartedBody {
  readonly reader: PieceReader;
  readonly first: WriteOperation[];
  /** Validation errors of the operations so far. */
  readonly messages: string[];
}

/** Items of the answer as JSON, separated by commas. */
interface WrittenItems {
  readonly chunks: Uint8Array[];
  errors: boolean;
  /** Indices that were written to. */
  readonly indices: readonly IndexMetadata[];
}

function runWhole(
  context: CoordinatorContext,
  request: BulkRequest,
  call: CallContext,
  { reader, first, messages }: StartedBody,
): Promise<WrittenItems> {
  checkWhole(reader, first.length, messages);
  checkClusterBlocks(context.cluster.state(), 'write');
  return runPiece(context, request, call, first);
}

/**
 * Validates the pieces after the first one before anything is written, without keeping them. Returns the number of all
 * operations.
 */
async function checkRest(context: CoordinatorContext, { reader, first, messages }: StartedBody): Promise<number> {
  let count = first.length;
  while (!reader.isOver) {
    await context.clock.yield();
    count += reader.next(messages).length;
  }
  checkWhole(reader, count, messages);
  return count;
}

/**
 * Runs the pieces one after another, so that the operations of one are freed before the next is parsed. With
 * `refresh=wait_for` the pieces do not wait; the indices are refreshed once at the end.
 */
async function runPieces(
  context: CoordinatorContext,
  request: BulkRequest,
  call: CallContext,
  begun: StartedBody,
): Promise<WrittenItems> {
  const from = begun.reader.at;
  const count = await checkRest(context, begun);
  checkClusterBlocks(context.cluster.state(), 'write');
  const release = context.bulkAnswers.charge(count * ITEM_BYTES, '<bulk_answer>');
  const touched = new Map<string, IndexMetadata>();
  const isAwaited = request.refresh === 'wait';
  const each: BulkRequest = isAwaited ? { ...request, refresh: 'none' } : request;
  const run = async (operations: readonly WriteOperation[]): Promise<WrittenItems> => {
    const written = await runPiece(context, each, call, operations);
    for (const index of written.indices) touched.set(index.uuid, index);
    return written;
  };
  try {
    const written = await run(begun.first);
    begun.first.length = 0;
    const reader = readPieces(request, documentValuesMax(context.cluster.state()), from);
    while (!reader.isOver) {
      const operations = reader.next([]);
      if (operations.length === 0) continue;
      const { chunks, errors } = await run(operations);
      if (written.chunks.length > 0) written.chunks.push(COMMA);
      written.chunks.push(...chunks);
      written.errors ||= errors;
    }
    if (isAwaited) await refresh(context, [...touched.values()]);
    return written;
  } finally {
    release();
  }
}

async function runPiece(
  context: CoordinatorContext,
  request: BulkRequest,
  call: CallContext,
  operations: readonly WriteOperation[],
): Promise<WrittenItems> {
  if (operations.length === 0) return { chunks: [], errors: false, indices: [] };
  const rights = rightsOf(call, false);
  const failed = await createMissingIndices(
    context,
    rights === null ? operations : operations.filter((operation) => mayWrite(context, operation, rights)),
    request.timeoutMs,
    rights,
  );
  const items: Items = { json: emptyItems(operations.length), errors: false };
  const batches = groupByShard(routeAll(context, operations, failed, items, rights));
  await Promise.all(batches.map((batch) => runBatch(context, batch, request, call, items)));
  return {
    chunks: [Buffer.from(joinItems(items.json))],
    errors: items.errors,
    indices: batches.map(({ index }) => index),
  };
}
