import type { IndexMetadata } from '@shoal/state';
import { encodeJson } from '../json-bytes.js';
import { shard as messages } from '@shoal/protocol';
import type { RoutedWrite } from './resolve-operation.js';
import type { Refresh, VersionType, WriteOp } from './write-request.js';

/** Writes of a call that go to one shard. */
export interface ShardBatch {
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly writes: RoutedWrite[];
  /** Places of the writes in the call. */
  readonly positions: number[];
}

const OP_CODES: Readonly<Record<WriteOp, number>> = { index: 0, create: 1, update: 2, delete: 3 };
const VERSION_CODES: Readonly<Record<VersionType, number>> = { internal: 0, external: 1, external_gte: 2 };
const REFRESH_CODES: Readonly<Record<Refresh, number>> = { none: 0, now: 1, wait: 2 };

/** Bytes of a body are sent as they are up to this many for each byte of a source: one copy instead of one a source. */
const SPAN_FACTOR_MAX = 2;

/** Groups writes by shard, keeping their order within each. */
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

/** What an attempt to deliver a batch says besides its writes. */
export interface Delivery {
  readonly coordinator: string;
  /** Counter of the first write; the others' follow. */
  readonly firstCounter: number;
  /** An earlier attempt may have arrived. */
  readonly isRetry: boolean;
  /** Copies that must be active before the first write. */
  readonly waitForActive: number;
  readonly timeoutMs: number;
  /** `TaskRegistry.callerOf`. */
  readonly caller: string | undefined;
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
    updateOptions: operation.updateSource === undefined ? undefined : encodeJson({ _source: operation.updateSource }),
    dynamicTemplates: operation.dynamicTemplates === null ? undefined : encodeJson(operation.dynamicTemplates),
    opCounter,
  };
}

/** Sources one after the other, and where each of them begins. */
interface Sources {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
}

/**
 * The part of the request's body that all sources lie in, action lines between them included; null unless they make up
 * most of it.
 */
function spanOf(writes: readonly RoutedWrite[]): Sources | null {
  const { buffer } = writes[0]!.operation.source;
  let [from, to, bytes] = [Infinity, 0, 0];
  for (let i = 0; i < writes.length; i++) {
    const { source } = writes[i]!.operation;
    // Those of deletes are empty, and belong to no body.
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

function joined(writes: readonly RoutedWrite[]): Sources {
  const starts = new Int32Array(writes.length);
  for (let i = 1; i < writes.length; i++) starts[i] = starts[i - 1]! + writes[i - 1]!.operation.source.length;
  return { bytes: Buffer.concat(writes.map((write) => write.operation.source)), starts };
}

/** The message for a batch; sources are views of the call's body where they make up most of it. */
export function batchMessage(batch: ShardBatch, refresh: Refresh, delivery: Delivery): messages.BulkShardRequest {
  const { bytes: sources, starts } = spanOf(batch.writes) ?? joined(batch.writes);
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
