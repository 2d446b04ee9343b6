import type { Json } from '@shoal/json';
import { INDEX_VERSION } from '@shoal/values';
import type { ShardFiles, SnapshotInfo } from '@shoal/coordinator';
import { isoTime } from '../cat/timestamps.js';

function successful(info: SnapshotInfo): number {
  return info.state === 'IN_PROGRESS' ? 0 : info.totalShards - info.failures.length;
}

/** Which members a snapshot is shown with. */
export interface SnapshotView {
  readonly isVerbose: boolean;
  readonly hasRepository: boolean;
  readonly hasIndices: boolean;
  readonly hasDetails: boolean;
}

const WHOLE: SnapshotView = { isVerbose: true, hasRepository: true, hasIndices: true, hasDetails: false };

/** `index_details`: sizes of each index of a finished snapshot. */
function detailsOf({ indices, state }: SnapshotInfo): Json {
  const entries = state === 'IN_PROGRESS' ? [] : indices;
  return Object.fromEntries(
    entries.map(({ name, shards }) => [
      name,
      {
        shard_count: shards.length,
        size_in_bytes: shards.reduce((sum, { bytes }) => sum + bytes, 0),
        max_segments_per_shard: Math.max(0, ...shards.map(({ segments = 0 }) => segments)),
      },
    ]),
  );
}

/** A snapshot in the form of `GET /_snapshot/{r}/{s}`. */
export function snapshotJson(repository: string, info: SnapshotInfo, view = WHOLE): Json {
  const head = { snapshot: info.name, uuid: info.uuid, ...(view.hasRepository ? { repository } : {}) };
  const indices = view.hasIndices ? { indices: info.indices.map((index) => index.name) } : {};
  const streams = (info.dataStreams ?? []).map(({ name }) => name);
  if (!view.isVerbose) return { ...head, ...indices, data_streams: streams, state: info.state };
  return {
    ...head,
    version_id: INDEX_VERSION,
    version: String(INDEX_VERSION),
    ...indices,
    ...(view.hasDetails ? { index_details: detailsOf(info) } : {}),
    data_streams: streams,
    include_global_state: info.includeGlobalState,
    ...(info.metadata === undefined || info.metadata === null ? {} : { metadata: info.metadata }),
    state: info.state,
    start_time: isoTime(info.startedAtMs),
    start_time_in_millis: info.startedAtMs,
    end_time: isoTime(info.endedAtMs),
    end_time_in_millis: info.endedAtMs,
    duration_in_millis: Math.max(0, info.endedAtMs - info.startedAtMs),
    failures: info.failures.map(({ index, shard, reason }) => ({
      index,
      index_uuid: index,
      shard_id: shard,
      reason,
      status: 'INTERNAL_SERVER_ERROR',
    })),
    shards: { total: info.totalShards, failed: info.failures.length, successful: successful(info) },
    feature_states: info.featureStates ?? [],
  };
}

function counts(total: number, failed: number, isDone: boolean): Json {
  return {
    initializing: 0,
    started: isDone ? 0 : total,
    finalizing: 0,
    done: isDone ? total - failed : 0,
    failed,
    total,
  };
}

/** Files and bytes, of all that something needs, and of what the snapshot added to the repository. */
interface Sizes {
  readonly files: number;
  readonly bytes: number;
  readonly addedFiles: number;
  readonly addedBytes: number;
}

function sizesOf({ files, fileCount = files.length, bytes, added = { files: fileCount, bytes } }: ShardFiles): Sizes {
  return { files: fileCount, bytes, addedFiles: added.files, addedBytes: added.bytes };
}

function sumOf(all: readonly Sizes[]): Sizes {
  const sum = (key: keyof Sizes): number => all.reduce((total, one) => total + one[key], 0);
  return { files: sum('files'), bytes: sum('bytes'), addedFiles: sum('addedFiles'), addedBytes: sum('addedBytes') };
}

function stats({ files, bytes, addedFiles, addedBytes }: Sizes, info: SnapshotInfo): Json {
  return {
    incremental: { file_count: addedFiles, size_in_bytes: addedBytes },
    total: { file_count: files, size_in_bytes: bytes },
    start_time_in_millis: info.startedAtMs,
    time_in_millis: Math.max(0, info.endedAtMs - info.startedAtMs),
  };
}

/** `_status` of a snapshot: files and bytes of each index and shard. */
export function snapshotStatusJson(repository: string, info: SnapshotInfo): Json {
  const isDone = info.state !== 'IN_PROGRESS';
  const indices = info.indices.map((index) => {
    const failed = info.failures.filter((failure) => failure.index === index.name).length;
    const sizes = index.shards.map(sizesOf);
    const shards = sizes.map((size, i) => [String(i), { stage: 'DONE', stats: stats(size, info) }] as const);
    const total = sumOf(sizes);
    const json = {
      shards_stats: counts(index.shards.length, failed, isDone),
      stats: stats(total, info),
      shards: Object.fromEntries(shards),
    };
    return { name: index.name, total, json };
  });
  return {
    snapshot: info.name,
    repository,
    uuid: info.uuid,
    state: isDone ? info.state : 'STARTED',
    include_global_state: info.includeGlobalState,
    shards_stats: counts(info.totalShards, info.failures.length, isDone),
    stats: stats(sumOf(indices.map(({ total }) => total)), info),
    indices: Object.fromEntries(indices.map(({ name, json }) => [name, json])),
  };
}
