import { logSlowWrite, type SlowLogSettings } from '../stats/slow-log.js';
import { errors } from '@shoal/errors';
import {
  createDocumentScratch,
  type DocumentScratch,
  type Mapping,
  mergeMappings,
  type ParsedDocument,
  parseDocument,
  type ReadQuery,
} from '@shoal/mapping';
import { isHugeSource, type Json, parseSourceInTurns } from '@shoal/json';
import { errorMessage, type shard } from '@shoal/protocol';
import type { OperationId } from '@shoal/store';
import type { Engine, Located } from '../engine/engine.js';
import type { MappingMaster } from '../shard-api.js';
import { planUpdate } from './apply-update.js';
import { mergeMappingUpdate } from './merge-mapping-updates.js';
import { queryReader } from './read-query.js';
import { storedResult } from './stored-result.js';
import { parseUpdate } from './update-request.js';
import { answeredGet, OUTCOME } from './write-result.js';
import { conflictOf, nextVersion, type ShardIdentity, versionConflict, WRITE_OP } from './version-check.js';

/** Milliseconds after which the thread is yielded. */
const SLICE_MS = 4;
/** A document whose fields are still unmapped after this many mapping updates fails. */
const MAPPING_UPDATES_MAX = 5;
/**
 * Limit on the look-ahead: after this many documents with new fields, later ones are parsed without their fields. Each
 * merge of a mapping costs by its fields.
 */
const FORESEEN_GROWTHS_MAX = 50;

/** Dependencies of a bulk on its shard. */
export interface BulkContext {
  readonly engine: Engine;
  readonly identity: ShardIdentity;
  /** Returns a promise to wait for when buffers are full, else null; seals a full buffer. */
  makeRoom(): Promise<void> | null;
}

/** A document was parsed, but the master must add its new fields to the mapping first. */
interface NeedsMapping {
  readonly mappingUpdate: Record<string, unknown>;
}

type Applied = shard.WriteResult | NeedsMapping;

const needsMapping = (applied: Applied): applied is NeedsMapping => 'mappingUpdate' in applied;

function failedResult(error: unknown): shard.WriteResult {
  return {
    outcome: OUTCOME.failed,
    version: 0,
    seqNo: 0,
    primaryTerm: 0,
    error: errorMessage(error),
  };
}

/** State of one bulk while its items are applied. */
/** Version and sequence number of a document that is not there. */
const NO_VERSION = -1;
const UNASSIGNED_SEQ_NO = -2;

interface BulkRun {
  readonly context: BulkContext;
  readonly request: shard.BulkShardRequest;
  readonly nowMs: number;
  /** Sources of the request's documents. */
  readonly sources: Buffer;
  /** Memory of the parsed document: each document is indexed or put back before the next one is parsed. */
  readonly scratch: DocumentScratch;
  /** Reads the queries that documents store. */
  readonly readQuery: ReadQuery;
  /** A large document that was parsed ahead of its item, or null. */
  ahead: ParsedAhead | null;
}

interface ParsedAhead {
  readonly item: shard.WriteItem;
  readonly json: Json;
}

const sourceOf = ({ sources }: BulkRun, item: shard.WriteItem): Uint8Array =>
  sources.subarray(item.sourceStart, item.sourceEnd);

function parse(
  { context, nowMs, scratch, ahead, readQuery }: BulkRun,
  item: shard.WriteItem,
  source: Uint8Array,
  routing: string | null,
  mapping: Mapping,
): ParsedDocument {
  const { mappingOptions } = context.engine.metadata;
  const templates =
    item.dynamicTemplates === undefined
      ? null
      : { dynamicTemplates: Object.fromEntries(item.dynamicTemplates.templates.map(({ path, name }) => [path, name])) };
  const json = ahead?.item === item ? ahead.json : undefined;
  const document = { id: item.id, nowMs, routing, json, readQuery };
  return parseDocument(
    mapping,
    source,
    templates === null ? document : { ...document, ...templates },
    mappingOptions,
    scratch,
  );
}

function indexDocument(
  run: BulkRun,
  item: shard.WriteItem,
  source: Uint8Array,
  routing: string | null,
  current: Located | null | undefined,
): Applied {
  const { engine, identity } = run.context;
  const parsed = parse(run, item, source, routing, engine.metadata.mapping);
  if (parsed.dynamicUpdate !== null) return { mappingUpdate: parsed.dynamicUpdate };
  const previous = current === undefined ? (item.autoId ? null : engine.locate(item.id)) : current;
  const conflict = conflictOf(item, previous);
  if (conflict !== null) throw versionConflict(identity, item.id, conflict);
  const version = nextVersion(item, previous);
  const seqNo = engine.index(
    { id: item.id, routing, autoId: item.autoId, version, opId: opIdOf(run.request, item) },
    parsed,
    source,
    previous,
  );
  return {
    outcome: previous?.kind === 'live' ? OUTCOME.updated : OUTCOME.created,
    version,
    seqNo,
    primaryTerm: engine.primaryTerm,
  };
}

function deleteDocument(run: BulkRun, item: shard.WriteItem): shard.WriteResult {
  const { engine, identity } = run.context;
  const previous = engine.locate(item.id);
  const conflict = conflictOf(item, previous);
  if (conflict !== null) throw versionConflict(identity, item.id, conflict);
  const version = nextVersion(item, previous);
  const seqNo = engine.remove(
    { id: item.id, routing: item.routing ?? null, autoId: false, version, opId: opIdOf(run.request, item) },
    previous,
  );
  engine.counters.deletes.total++;
  return {
    outcome: previous?.kind === 'live' ? OUTCOME.deleted : OUTCOME.notFound,
    version,
    seqNo,
    primaryTerm: engine.primaryTerm,
  };
}

function updateDocument(run: BulkRun, item: shard.WriteItem): Applied {
  const { engine, identity } = run.context;
  const update = parseUpdate(item, sourceOf(run, item));
  const current = engine.locate(item.id);
  const planned = planUpdate(engine, update, item, current, identity, run.nowMs);
  if (planned.kind === 'nothing') {
    engine.counters.indexing.noops++;
    return { outcome: OUTCOME.noop, version: NO_VERSION, seqNo: UNASSIGNED_SEQ_NO, primaryTerm: 0 };
  }
  if (planned.kind === 'noop') {
    engine.counters.indexing.noops++;
    const { version, seqNo, primaryTerm } = planned.current;
    return {
      outcome: OUTCOME.noop,
      version,
      seqNo,
      primaryTerm,
      get: answeredGet(update.answeredSource, planned.source, planned.current),
    };
  }
  if (planned.kind === 'delete') {
    const removal = { ...item, op: WRITE_OP.delete, ifSeqNo: undefined, ifPrimaryTerm: undefined };
    const removed = deleteDocument(run, removal);
    return { ...removed, get: answeredGet(update.answeredSource, planned.source, removed) };
  }
  if (item.updateOptions?.prepare === true) return preparedResult(planned, current);
  const write = { ...item, op: WRITE_OP.index, ifSeqNo: undefined, ifPrimaryTerm: undefined };
  const applied = indexDocument(run, write, planned.source, planned.routing, current);
  return needsMapping(applied)
    ? applied
    : { ...applied, get: answeredGet(update.answeredSource, planned.source, applied) };
}

/** Answers the document that an update would write, and which document it would replace. */
function preparedResult(
  { source, routing }: { readonly source: Uint8Array; readonly routing: string | null },
  current: Located | null,
): shard.WriteResult {
  const prepared = { prepared: source, ...(routing === null ? {} : { preparedRouting: routing }) };
  if (current?.kind !== 'live')
    return { outcome: OUTCOME.created, version: NO_VERSION, seqNo: UNASSIGNED_SEQ_NO, primaryTerm: 0, ...prepared };
  const { version, seqNo, primaryTerm } = current;
  return { outcome: OUTCOME.updated, version, seqNo, primaryTerm, ...prepared };
}

const opIdOf = ({ coordinator }: shard.BulkShardRequest, { opCounter }: shard.WriteItem): OperationId | null =>
  coordinator === undefined || opCounter === undefined ? null : { coordinator, counter: opCounter };

/** Returns the answer to a repeated write that was applied before; null for a write to apply now. */
function earlierResult(run: BulkRun, item: shard.WriteItem): shard.WriteResult | null {
  const { retries } = run.context.engine;
  const opId = opIdOf(run.request, item);
  if (opId === null || !(run.request.retry === true || retries.isUnsafe(opId))) return null;
  const seqNo = retries.find(opId);
  if (seqNo !== undefined) return storedResult(run.context.engine.operation(seqNo), item, sourceOf(run, item));
  if (run.request.retry === true) retries.markOvertaken(opId);
  return null;
}

/** Applies one item in one step, or returns the fields that the mapping must get first. Throws the item's errors. */
function applyOnce(run: BulkRun, item: shard.WriteItem): Applied {
  const earlier = earlierResult(run, item);
  if (earlier !== null) return earlier;
  if (item.op === WRITE_OP.delete) return deleteDocument(run, item);
  if (item.op === WRITE_OP.update) return updateDocument(run, item);
  return indexDocument(run, item, sourceOf(run, item), item.routing ?? null, undefined);
}

/**
 * Returns the mapping update that a later item of the batch will need, or null. Errors of the item are reported when
 * its turn comes.
 */
function foreseenUpdate(run: BulkRun, item: shard.WriteItem, mapping: Mapping): Record<string, unknown> | null {
  if (item.op === WRITE_OP.delete) return null;
  try {
    return parse(run, item, sourceOf(run, item), item.routing ?? null, mapping).dynamicUpdate;
  } catch {
    return null;
  }
}

/**
 * Returns the new fields of the items from a position on, up to the next update, parsed with a mapping that grows as
 * the master's will.
 */
function foreseenUpdates(run: BulkRun, from: number, own: Record<string, unknown>): Record<string, unknown> {
  const { mapping: current, mappingOptions } = run.context.engine.metadata;
  const { items } = run.request;
  const merged = structuredClone(own);
  let mapping = mergeMappings(current, own, mappingOptions, 'dynamic');
  let growths = 0;
  for (let i = from + 1; i < items.length; i++) {
    // What an update writes is known only once the items before it are applied, and so are the fields that it adds:
    // those of later items must not come before them.
    if (items[i]!.op === WRITE_OP.update) break;
    const update = foreseenUpdate(run, items[i]!, mapping);
    if (update === null) continue;
    mergeMappingUpdate(merged, update);
    if (++growths <= FORESEEN_GROWTHS_MAX) mapping = mergeMappings(mapping, update, mappingOptions, 'dynamic');
  }
  return merged;
}

/**
 * Updates the mapping with the fields of all following items of the batch at once. If the master refuses that, updates
 * it with the fields of this item alone.
 */
async function growMapping(
  run: BulkRun,
  from: number,
  own: Record<string, unknown>,
  master: MappingMaster,
): Promise<void> {
  try {
    await master.updateMapping(foreseenUpdates(run, from, own));
  } catch {
    await master.updateMapping(own);
  }
}

async function applyItem(run: BulkRun, position: number, master: MappingMaster): Promise<shard.WriteResult> {
  for (let attempt = 0; attempt < MAPPING_UPDATES_MAX; attempt++) {
    const applied = applyOnce(run, run.request.items[position]!);
    if (!needsMapping(applied)) return applied;
    await growMapping(run, position, applied.mappingUpdate, master);
  }
  throw errors.illegalState('the mapping does not hold the new fields of the document after it was updated');
}

/**
 * Applies an item at once if no mapping update is needed. Most items are done this way: a promise for each would cost
 * more than the check.
 */
function applyNow(run: BulkRun, item: shard.WriteItem): shard.WriteResult | null {
  const applied = applyOnce(run, item);
  return needsMapping(applied) ? null : applied;
}

function recordFailure(run: BulkRun, item: shard.WriteItem, error: unknown): shard.WriteResult {
  // A store that has failed concerns all items, and so does a copy that may no longer write.
  const { store, refusal } = run.context.engine;
  if (store.failure ?? refusal) throw store.failure ?? refusal;
  if (item.op !== WRITE_OP.delete) run.context.engine.counters.indexing.failed++;
  return failedResult(error);
}

/**
 * Parses the document of an item before it is applied, in turns of the thread. Only what needs no other item may be
 * done ahead: the item is applied at a stretch.
 */
async function parseAhead(run: BulkRun, item: shard.WriteItem): Promise<void> {
  const { clock } = run.context.engine.doors;
  const turn = (): Promise<void> => clock.yield();
  await turn();
  if (item.op !== WRITE_OP.delete && item.op !== WRITE_OP.update)
    run.ahead = { item, json: await parseSourceInTurns(sourceOf(run, item), turn) };
  await turn();
}

function logWrite(run: BulkRun, item: shard.WriteItem, slowLog: SlowLogSettings, tookMs: number): void {
  const { engine, identity } = run.context;
  logSlowWrite(
    engine.doors.log,
    slowLog,
    { index: identity.index, shard: identity.shard },
    { id: item.id, routing: item.routing ?? null, tookMs, source: sourceOf(run, item), caller: run.request.caller },
  );
}

/** Applies the items in order. When it resolves, the operations are in the log's next group, not yet durable. */
export async function applyBulk(
  context: BulkContext,
  request: shard.BulkShardRequest,
  master: MappingMaster,
): Promise<shard.WriteResult[]> {
  const { clock } = context.engine.doors;
  const { slowLog } = context.engine.settings;
  if (request.retry === true)
    await context.engine.earlierWrites.recall(context.engine.store, context.engine.retries, clock.monotonic());
  const { buffer, byteOffset, length } = request.sources;
  const run: BulkRun = {
    context,
    request,
    nowMs: clock.now(),
    sources: Buffer.from(buffer, byteOffset, length),
    scratch: createDocumentScratch(),
    readQuery: queryReader(context.engine),
    ahead: null,
  };
  const results: shard.WriteResult[] = [];
  let sliceEnd = clock.monotonic() + SLICE_MS;
  for (let i = 0; i < request.items.length; i++) {
    const item = request.items[i]!;
    try {
      if (isHugeSource(item.sourceEnd - item.sourceStart)) await parseAhead(run, item);
      const startedAt = slowLog ? clock.monotonic() : 0;
      results.push(applyNow(run, item) ?? (await applyItem(run, i, master)));
      if (slowLog && item.op !== WRITE_OP.delete) logWrite(run, item, slowLog, clock.monotonic() - startedAt);
    } catch (error) {
      results.push(recordFailure(run, item, error));
    }
    run.ahead = null;
    if ((i & 15) !== 15) continue;
    const room = context.makeRoom();
    if (room) await room;
    if (clock.monotonic() < sliceEnd) continue;
    await clock.yield();
    sliceEnd = clock.monotonic() + SLICE_MS;
  }
  return results;
}
