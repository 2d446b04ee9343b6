import type { IndexMetadata } from '@shoal/state';
import { awaitWritable } from './await-writable.js';
import type { ApiError } from '@shoal/errors';
import { refresh } from '../admin/refresh.js';
import type { CoordinatorContext } from '../context.js';
import type { CallContext, JsonAnswer } from '../call.js';
import { createMissingIndices } from './auto-create.js';
import type { BulkRequest } from './bulk-request.js';
import { checkEnd, checkWhole, PIECE_OPERATIONS_MAX, type PieceReader, readPieces } from './parse-bulk.js';
import { documentValuesMax } from './document-values.js';
import { failedPiece, type IngestedPiece, ingestPiece, planPipelines } from '../ingest/ingest-piece.js';
import {
  droppedItemJson,
  emptyItems,
  failedItemJson,
  isFailed,
  ItemWriter,
  joinItems,
  refusedItemJson,
  resultError,
  setItem,
  shardsJson,
} from './render-write.js';
import {
  type RefusedWrite,
  type RoutedWrite,
  isRefused,
  isRoutingMissing,
  mayWrite,
  rightsOf,
  routeOperation,
  type WriteRights,
} from './resolve-operation.js';
import { activeCopies, sendBatch } from './send-batch.js';
import { type ShardBatch, groupByShard } from './shard-batch.js';
import { type RefusedItem, RefusedItems } from '../quarantine/refused-items.js';
import type { shard as messages } from '@shoal/protocol';
import { takeTurns } from '../turns.js';
import type { WriteOperation, WriteOptions } from './write-request.js';

interface Items {
  /** Texts of the items, `ITEM_PIECES` for each (see `render-write.ts`). */
  readonly json: string[];
  /** Number of items that are errors. */
  failed: number;
  /** Those of them whose documents were refused; null if there are none. */
  refused: RefusedItems | null;
  /** Milliseconds that pipelines took; null if there were none. */
  ingestTookMs: number | null;
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
      if (isFailed(result)) failedOnShard(items, batch, i, result);
    }
  } catch (thrown) {
    const error = context.apiError(thrown);
    items.failed += batch.writes.length;
    batch.writes.forEach((write, i) => setItem(items.json, batch.positions[i]!, failedItemJson(write, error)));
  }
}

function failedOnShard(items: Items, batch: ShardBatch, i: number, result: messages.WriteResult): void {
  items.failed++;
  refusedOf(items).ofMapping(batch.positions[i]!, batch.writes[i]!.operation, resultError(result), batch.index.name);
}

const refusedOf = (items: Items): RefusedItems => (items.refused ??= new RefusedItems());

/** Memory for what operations grow by before they are sent: the text of the stored script of an update. */
interface GrowthRoom {
  /** Charges the growth of an operation; refuses the operation (429) if there is no room. */
  charged(before: WriteOperation, write: RoutedWrite | RefusedWrite): RoutedWrite | RefusedWrite;
  release(): void;
}

function growthRoom(context: CoordinatorContext): GrowthRoom {
  const releases: (() => void)[] = [];
  return {
    charged(before, write) {
      const growth = write.operation.source.length - before.source.length;
      if (growth <= 0 || isRefused(write)) return write;
      try {
        releases.push(context.takeWrite(growth));
        return write;
      } catch (thrown) {
        return { operation: before, indexName: write.index.name, id: write.id, error: context.apiError(thrown) };
      }
    },
    release: () => releases.forEach((release) => release()),
  };
}

/** Operations that are routed between two looks at the clock. */
const ROUTED_IN_STEP = 256;
/** A bulk goes on when its client has gone: what it wrote until then would be half of it. */
const GOES_ON = new AbortController().signal;

/** Finds the shards of operations, in turns of the thread: one that is refused costs more than one that is not. */
async function routeAll(
  context: CoordinatorContext,
  operations: readonly (WriteOperation | null)[],
  failed: ReadonlyMap<string, ApiError>,
  items: Items,
  rights: WriteRights | null,
  room: GrowthRoom,
): Promise<(RoutedWrite | null)[]> {
  const state = context.cluster.state();
  const nowMs = context.clock.now();
  const turns = takeTurns(context.clock, GOES_ON);
  const route = (operation: WriteOperation | null, position: number): RoutedWrite | null => {
    if (operation === null) return null;
    const routed = routeOperation(state, operation, context, nowMs, rights);
    const write = room.charged(operation, withCreationErrors(routed, failed));
    if (!isRefused(write)) return write;
    items.failed++;
    setItem(items.json, position, refusedItemJson(write));
    if (isRoutingMissing(write.error)) refusedOf(items).ofMapping(position, operation, write.error, write.indexName);
    return null;
  };
  const routed: (RoutedWrite | null)[] = [];
  for (let position = 0; position < operations.length; position++) {
    routed.push(route(operations[position]!, position));
    const pause = position % ROUTED_IN_STEP === ROUTED_IN_STEP - 1 ? turns.pause() : null;
    if (pause !== null) await pause;
  }
  return routed;
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
    const ingestTook = written.ingestTookMs === null ? '' : `,"ingest_took":${written.ingestTookMs}`;
    return {
      status: 200,
      chunks: [
        Buffer.from(`{"errors":${written.errors},"took":${tookMs}${ingestTook},"items":[`),
        ...written.chunks,
        CLOSING,
      ],
    };
  } finally {
    release();
  }
}

/** Throws what `bulk` would throw for malformed lines; writes nothing. */
export async function checkBulk(context: CoordinatorContext, request: BulkRequest, call: CallContext): Promise<void> {
  checkRoom(context, request);
  const reader = readPieces(request, documentValuesMax(context.cluster.state()));
  while (!reader.isOver) {
    reader.next([]);
    await context.clock.yield();
    call.signal.throwIfAborted();
  }
  checkEnd(reader);
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
  /** As `Items.ingestTookMs`. */
  ingestTookMs: number | null;
  /** Indices that were written to. */
  readonly indices: readonly IndexMetadata[];
}

async function runWhole(
  context: CoordinatorContext,
  request: BulkRequest,
  call: CallContext,
  { reader, first, messages }: StartedBody,
): Promise<WrittenItems> {
  checkWhole(reader, first.length, messages);
  await awaitWritable(context, request.timeoutMs);
  return await runPiece(context, request, call, first);
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
  await awaitWritable(context, request.timeoutMs);
  const release = context.bulkAnswers.charge(count * ITEM_BYTES, '<bulk_answer>');
  const touched = new Map<string, IndexMetadata>();
  const isAwaited = request.refresh === 'wait';
  const each: BulkRequest = isAwaited ? { ...request, refresh: 'none' } : request;
  const run = async (operations: readonly WriteOperation[], isLater = false): Promise<WrittenItems> => {
    const written = await runPiece(context, each, call, operations, isLater);
    for (const index of written.indices) touched.set(index.uuid, index);
    return written;
  };
  try {
    const written = await run(begun.first);
    begun.first.length = 0;
    const reader = readPieces(request, documentValuesMax(context.cluster.state()), from);
    while (!reader.isOver) {
      await context.clock.yield();
      const operations = reader.next([]);
      if (operations.length === 0) continue;
      const { chunks, errors, ingestTookMs } = await run(operations, true);
      if (written.chunks.length > 0) written.chunks.push(COMMA);
      written.chunks.push(...chunks);
      written.errors ||= errors;
      if (ingestTookMs !== null) written.ingestTookMs = (written.ingestTookMs ?? 0) + ingestTookMs;
    }
    if (isAwaited) await refresh(context, [...touched.values()]);
    return written;
  } finally {
    release();
  }
}

async function runPiece(
  context: CoordinatorContext,
  request: WriteOptions,
  call: CallContext,
  operations: readonly WriteOperation[],
  isLater = false,
): Promise<WrittenItems> {
  if (operations.length === 0) return { chunks: [], errors: false, ingestTookMs: null, indices: [] };
  const items: Items = { json: emptyItems(operations.length), failed: 0, refused: null, ingestTookMs: null };
  const indices = await runOperations(context, request, call, operations, items, isLater);
  if (items.refused !== null) items.failed -= await items.refused.keep(context, operations, items.json, request, call);
  const chunks = [Buffer.from(joinItems(items.json))];
  return { chunks, errors: items.failed > 0, ingestTookMs: items.ingestTookMs, indices };
}

/** Items of operations that were written, and what refused the documents of those that failed. */
export interface WrittenOperations {
  /** Items of the answer of a bulk as JSON, without brackets. */
  readonly json: Uint8Array;
  readonly refused: readonly RefusedItem[];
}

/**
 * Runs operations as a bulk does, as one piece. What is refused is not kept: the caller has it. `isLater`: pieces of
 * the same bulk are written already.
 */
export async function writeOperations(
  context: CoordinatorContext,
  options: WriteOptions,
  call: CallContext,
  operations: readonly WriteOperation[],
  isLater = false,
): Promise<WrittenOperations> {
  const blocked = await awaitWritable(context, options.timeoutMs).catch((thrown: unknown) => {
    if (!isLater) throw thrown;
    return context.apiError(thrown);
  });
  if (blocked !== undefined) return refusedOperations(operations, blocked);
  const bytes = operations.reduce((sum, { source }) => sum + source.length, 0);
  const release = context.takeWrite(bytes + operations.length * OPERATION_BYTES);
  try {
    const items: Items = { json: emptyItems(operations.length), failed: 0, refused: null, ingestTookMs: null };
    await runOperations(context, options, call, operations, items, isLater);
    return { json: Buffer.from(joinItems(items.json)), refused: items.refused?.items ?? [] };
  } finally {
    release();
  }
}

/** Items of operations that a block keeps from being written: as on a shard that a block reaches within a bulk. */
function refusedOperations(operations: readonly WriteOperation[], error: ApiError): WrittenOperations {
  const json = operations.map((operation) =>
    refusedItemJson({ operation, indexName: operation.index, id: operation.id, error }),
  );
  return { json: Buffer.from(json.join(',')), refused: [] };
}

/**
 * Runs the pipelines of a piece and writes it. Returns the indices that were written to. If no pipelines can be run, as
 * the node that would run them has died, the call fails; but behind pieces that are written only this one does: a
 * client that sent all of them again would write documents without an id twice.
 */
async function runOperations(
  context: CoordinatorContext,
  request: WriteOptions,
  call: CallContext,
  operations: readonly WriteOperation[],
  items: Items,
  isLater = false,
): Promise<readonly IndexMetadata[]> {
  const planned = planPipelines(context, operations);
  if (planned.length === 0) return writePiece(context, request, call, operations, items);
  const ingested = await ingestPiece(context, planned, call).catch((thrown: unknown) => {
    if (!isLater || call.signal.aborted) throw thrown;
    return failedPiece(planned, context.apiError(thrown));
  });
  items.ingestTookMs = ingested.tookMs;
  try {
    const left = operations.map((operation, position) => takeIngested(items, position, operation, ingested));
    return await writePiece(context, request, call, left, items);
  } finally {
    ingested.release();
  }
}

/** Returns what is to be written of an operation after its pipelines; null if its item is answered already. */
function takeIngested(
  items: Items,
  position: number,
  operation: WriteOperation,
  { results }: IngestedPiece,
): WriteOperation | null {
  const result = results.get(position);
  if (result === undefined) return operation;
  if (result.kind === 'write') return result.operation;
  if (result.kind === 'dropped') setItem(items.json, position, droppedItemJson(operation));
  else {
    items.failed++;
    const { index: indexName, id } = operation;
    setItem(items.json, position, refusedItemJson({ operation, indexName, id, error: result.error }));
    refusedOf(items).ofPipeline(position, result.error, result.at);
  }
  return null;
}

/** Writes the operations of a piece, and returns their indices. Those that are null have their item. */
async function writePiece(
  context: CoordinatorContext,
  request: WriteOptions,
  call: CallContext,
  operations: readonly (WriteOperation | null)[],
  items: Items,
): Promise<readonly IndexMetadata[]> {
  const rights = rightsOf(call, false);
  const failed = await createMissingIndices(context, creating(context, operations, rights), request.timeoutMs, rights);
  const room = growthRoom(context);
  try {
    const batches = groupByShard(await routeAll(context, operations, failed, items, rights, room));
    await Promise.all(batches.map((batch) => runBatch(context, batch, request, call, items)));
    return batches.map(({ index }) => index);
  } finally {
    room.release();
  }
}

/** Operations whose missing indices are created. */
function creating(
  context: CoordinatorContext,
  operations: readonly (WriteOperation | null)[],
  rights: WriteRights | null,
): WriteOperation[] {
  const isWanted = (operation: WriteOperation | null): operation is WriteOperation =>
    operation !== null && (rights === null || mayWrite(context, operation, rights));
  return operations.filter(isWanted);
}
