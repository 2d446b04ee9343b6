import type { Json } from '@shoal/json';
import { INDEX_VERSION } from '@shoal/values';
import type { IndexMetadata } from '@shoal/state';
import type { Services } from '../services.js';

/** Recovery of a shard copy as its node reports it: its progress, and what the store held when it was opened. */
interface Recovery {
  readonly progress: {
    readonly stage: string;
    readonly type: string;
    readonly startedAtMs: number;
    readonly endedAtMs: number;
    readonly sourceNodeId: string | null;
    readonly totalFiles: number;
    readonly recoveredFiles: number;
    readonly reusedFiles: number;
    readonly totalBytes: number;
    readonly recoveredBytes: number;
    readonly reusedBytes: number;
    readonly totalOperations: number;
    readonly recoveredOperations: number;
  };
  readonly opened: { readonly segments: number; readonly bytes: number; readonly replayedOperations: number } | null;
}

/** A recovery with its index and shard. */
export interface RecoveryRow {
  readonly index: IndexMetadata;
  readonly json: Readonly<Json>;
}

function percent(part: number, whole: number, ofNothing: string): string {
  return whole === 0 ? ofNothing : `${((Math.min(part, whole) / whole) * 100).toFixed(1)}%`;
}

function nodeJson(services: Services, nodeId: string): Json {
  const node = services.cluster.state().nodes.get(nodeId);
  return { id: nodeId, host: node?.host, transport_address: node?.transportAddress, ip: node?.ip, name: node?.name };
}

interface Amounts {
  readonly files: readonly [total: number, reused: number, recovered: number];
  readonly bytes: readonly [total: number, reused: number, recovered: number];
  readonly operations: readonly [total: number, recovered: number];
}

/** Share of the files or bytes that had to be copied; reused ones do not count. */
const percentCopied = ([total, reused, recovered]: Amounts['files']): string =>
  percent(recovered, total - reused, total === 0 ? '0.0%' : '100.0%');

/** Files and bytes copied from another node or a snapshot; zero if the copy started from its own store. */
function amountsOf(meta: IndexMetadata, shard: number, { progress, opened }: Recovery): Amounts {
  if (progress.type === 'PEER') {
    const {
      totalFiles,
      recoveredFiles,
      reusedFiles,
      totalBytes,
      recoveredBytes,
      reusedBytes,
      totalOperations,
      recoveredOperations,
    } = progress;
    return {
      files: [totalFiles, reusedFiles, recoveredFiles],
      bytes: [totalBytes, reusedBytes, Math.min(totalBytes - reusedBytes, recoveredBytes)],
      operations: [totalOperations, recoveredOperations],
    };
  }
  if (progress.type === 'SNAPSHOT') {
    const bytes = meta.restoredFrom?.bytes[shard] ?? 0;
    const files = meta.restoredFrom?.files[shard]?.length ?? 0;
    const isDone = progress.stage === 'DONE';
    return { files: [files, 0, isDone ? files : 0], bytes: [bytes, 0, isDone ? bytes : 0], operations: [0, 0] };
  }
  const { segments = 0, bytes = 0, replayedOperations = 0 } = opened ?? {};
  return {
    files: [segments, segments, 0],
    bytes: [bytes, bytes, 0],
    operations: [replayedOperations, replayedOperations],
  };
}

function sourceJson(services: Services, meta: IndexMetadata, { type, sourceNodeId }: Recovery['progress']): Json {
  if (type === 'PEER') return sourceNodeId === null ? {} : nodeJson(services, sourceNodeId);
  if (type === 'EXISTING_STORE') return { bootstrap_new_history_uuid: false };
  const from = meta.restoredFrom;
  return type === 'SNAPSHOT' && from
    ? { repository: from.repository, snapshot: from.snapshot, version: String(INDEX_VERSION), index: from.index }
    : {};
}

function recoveryJson(
  services: Services,
  meta: IndexMetadata,
  copy: { readonly shard: number; readonly primary: boolean; readonly nodeId: string },
  recovery: Recovery,
): Json {
  const { progress } = recovery;
  const { files, bytes, operations } = amountsOf(meta, copy.shard, recovery);
  const isDone = progress.stage === 'DONE';
  return {
    id: copy.shard,
    type: progress.type,
    stage: progress.stage,
    primary: copy.primary,
    start_time_in_millis: progress.startedAtMs,
    ...(isDone ? { stop_time_in_millis: progress.endedAtMs } : {}),
    total_time_in_millis: Math.max(0, (isDone ? progress.endedAtMs : services.clock.now()) - progress.startedAtMs),
    source: sourceJson(services, meta, progress),
    target: nodeJson(services, copy.nodeId),
    index: {
      size: {
        total_in_bytes: bytes[0],
        reused_in_bytes: bytes[1],
        recovered_in_bytes: bytes[2],
        recovered_from_snapshot_in_bytes: 0,
        percent: percentCopied(bytes),
      },
      files: { total: files[0], reused: files[1], recovered: files[2], percent: percentCopied(files) },
      total_time_in_millis: 0,
      source_throttle_time_in_millis: 0,
      target_throttle_time_in_millis: 0,
    },
    translog: {
      recovered: operations[1],
      total: operations[0],
      percent: percent(operations[1], operations[0], '100.0%'),
      total_on_start: operations[0],
      total_time_in_millis: 0,
    },
    verify_index: { check_index_time_in_millis: 0, total_time_in_millis: 0 },
  };
}

/** Recoveries of all copies of some indices, finished or running. */
export async function recoveryRows(services: Services, metas: readonly IndexMetadata[]): Promise<RecoveryRow[]> {
  const answer = await services.coordinator.broadcast(metas, 'recovery', {}, 'assigned');
  const byUuid = new Map(metas.map((meta) => [meta.uuid, meta]));
  const rows = answer.shards.map((row): RecoveryRow => {
    const index = byUuid.get(row.indexUuid)!;
    return { index, json: recoveryJson(services, index, row, row.body as Recovery) };
  });
  const order = (a: RecoveryRow, b: RecoveryRow): number =>
    Number(a.json['id']) - Number(b.json['id']) || Number(b.json['primary']) - Number(a.json['primary']);
  return rows.sort((a, b) => (a.index.name === b.index.name ? order(a, b) : a.index.name < b.index.name ? -1 : 1));
}
