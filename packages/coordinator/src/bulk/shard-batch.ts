import type { IndexMetadata } from '@shoal/state';
import { type shard as messages, sourceFilterOf } from '@shoal/protocol';
import type { RoutedWrite } from './resolve-operation.js';
import type { Refresh, VersionType, WriteOp, WriteOperation } from './write-request.js';

/** The writes of a call for one shard. */
export interface ShardBatch {
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly writes: RoutedWrite[];
  /** Index of each write in the call. */
  readonly positions: number[];
}

const OP_CODES: Readonly<Record<WriteOp, number>> = { index: 0, create: 1, update: 2, delete: 3 };
const VERSION_CODES: Readonly<Record<VersionType, number>> = { internal: 0, external: 1, external_gte: 2 };
const REFRESH_CODES: Readonly<Record<Refresh, number>> = { none: 0, now: 1, wait: 2 };

/**
 * A span of the body is sent as it is if it has at most this many times the bytes of its sources: one copy instead of
 * one for each source.
 */
const SPAN_FACTOR_MAX = 2;

/** Groups writes by shard; the order of writes of a shard stays. */
export function groupByShard(writes: readonly (RoutedWrite | null)[]): ShardBatch[] {
  const batches = new Map<string, Map<number, ShardBatch>>();
  const all: ShardBatch[] = [];
  writes.forEach((write, position) => {
    if (!write) return;
    let shards = batches.get(write.index.uuid);
    if (!shards) batches.set(write.index.uuid, (shards = new Map()));
    let batch = shards.get(write.shard);
    if (!batch) {
      batch = { index: write.index, shard: write.shard, writes: [], positions: [] };
      shards.set(write.shard, batch);
      all.push(batch);
    }
    batch.writes.push(write);
    batch.positions.push(position);
  });
  return all;
}

/** Values of one attempt to send a batch. */
export interface Delivery {
  readonly coordinator: string;
  /** Counter of the first write; the counters of the others follow it. */
  readonly firstCounter: number;
  /** Whether an earlier attempt may have reached the shard. */
  readonly isRetry: boolean;
  /** Number of copies that must be active before the first write. */
  readonly waitForActive: number;
  readonly timeoutMs: number;
  /** Headers of the task as `TaskRegistry.callerOf` returns them. */
  readonly caller: messages.Caller | undefined;
}

function templatesOf(templates: Readonly<Record<string, unknown>>): messages.DynamicTemplates {
  return { templates: Object.entries(templates).map(([path, name]) => ({ path, name: String(name) })) };
}

function updateOptionsOf(operation: WriteOperation): messages.UpdateOptions | undefined {
  const { updateSource, isPrepared, keepsRouting } = operation;
  const source = updateSource === undefined ? undefined : sourceFilterOf(updateSource);
  const hasOptions = source !== undefined || isPrepared === true || keepsRouting === true;
  return hasOptions ? { source, prepare: isPrepared, keepsRouting } : undefined;
}

function itemOf(write: RoutedWrite, start: number, opCounter: number): messages.WriteItem {
  const { operation } = write;
  return {
    op: OP_CODES[operation.op],
    id: write.id,
    routing: write.routing ?? undefined,
    sourceStart: start,
    sourceEnd: start + operation.source.length,
    versionType: VERSION_CODES[operation.versionType],
    version: operation.version ?? undefined,
    ifSeqNo: operation.ifSeqNo ?? undefined,
    ifPrimaryTerm: operation.ifPrimaryTerm ?? undefined,
    autoId: write.isAutoId,
    retryOnConflict: operation.retryOnConflict,
    updateOptions: updateOptionsOf(operation),
    dynamicTemplates: operation.dynamicTemplates === null ? undefined : templatesOf(operation.dynamicTemplates),
    opCounter,
  };
}

/** The sources of a batch in one array, with the offset of each. */
interface BatchSources {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
}

/**
 * Returns the span of the request body that contains all sources, with the action lines between them. Null if the
 * sources are not most of it.
 */
function spanOf(writes: readonly RoutedWrite[]): BatchSources | null {
  const { buffer } = writes[0]!.operation.source;
  let [from, to, bytes] = [Infinity, 0, 0];
  for (let i = 0; i < writes.length; i++) {
    const { source } = writes[i]!.operation;
    // BatchSources of deletes are empty and not part of a body.
    if (source.length === 0) continue;
    if (source.buffer !== buffer) return null;
    if (source.byteOffset < from) from = source.byteOffset;
    if (source.byteOffset + source.length > to) to = source.byteOffset + source.length;
    bytes += source.length;
  }
  if (bytes === 0 || to - from > bytes * SPAN_FACTOR_MAX) return null;
  const starts = new Int32Array(writes.length);
  for (let i = 0; i < writes.length; i++) {
    const { source } = writes[i]!.operation;
    if (source.length > 0) starts[i] = source.byteOffset - from;
  }
  return { bytes: new Uint8Array(buffer, from, to - from), starts };
}

function joinSources(writes: readonly RoutedWrite[]): BatchSources {
  const starts = new Int32Array(writes.length);
  for (let i = 1; i < writes.length; i++) starts[i] = starts[i - 1]! + writes[i - 1]!.operation.source.length;
  return { bytes: Buffer.concat(writes.map((write) => write.operation.source)), starts };
}

/** Makes the message of a batch. Its sources are a view of the request body if `spanOf` finds one. */
export function batchMessage(batch: ShardBatch, refresh: Refresh, delivery: Delivery): messages.BulkShardRequest {
  const { bytes: sources, starts } = spanOf(batch.writes) ?? joinSources(batch.writes);
  const items = batch.writes.map((write, i) => itemOf(write, starts[i]!, delivery.firstCounter + i));
  return {
    shard: { indexUuid: batch.index.uuid, shard: batch.shard },
    indexName: batch.index.name,
    refresh: REFRESH_CODES[refresh],
    sources,
    items,
    coordinator: delivery.coordinator,
    retry: delivery.isRetry || undefined,
    waitForActive: delivery.waitForActive > 1 ? delivery.waitForActive : undefined,
    timeoutMs: delivery.timeoutMs,
    caller: delivery.caller,
  };
}
