import type { Json } from '@shoal/json';
import { INDEX_VERSION } from '@shoal/values';
import type { SnapshotInfo } from '@shoal/coordinator';
import { isoTime } from '../cat/timestamps.js';

function successful(info: SnapshotInfo): number {
  return info.state === 'IN_PROGRESS' ? 0 : info.totalShards - info.failures.length;
}

/** A snapshot in the form of `GET /_snapshot/{r}/{s}`; fewer members without `verbose`. */
export function snapshotJson(repository: string, info: SnapshotInfo, verbose: boolean): Json {
  const head = { snapshot: info.name, uuid: info.uuid, repository };
  const indices = info.indices.map((index) => index.name);
  if (!verbose) return { ...head, indices, data_streams: [], state: info.state };
  return {
    ...head,
    version_id: INDEX_VERSION,
    version: String(INDEX_VERSION),
    indices,
    data_streams: [],
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
    feature_states: [],
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

function stats(files: number, bytes: number, info: SnapshotInfo): Json {
  const size = { file_count: files, size_in_bytes: bytes };
  return {
    incremental: size,
    total: size,
    start_time_in_millis: info.startedAtMs,
    time_in_millis: Math.max(0, info.endedAtMs - info.startedAtMs),
  };
}

/** `_status` of a snapshot: files and bytes of each index and shard. */
export function snapshotStatusJson(repository: string, info: SnapshotInfo): Json {
  const isDone = info.state !== 'IN_PROGRESS';
  const indices = info.indices.map((index) => {
    const failed = info.failures.filter((failure) => failure.index === index.name).length;
    const files = index.shards.reduce((sum, shard) => sum + shard.files.length, 0);
    const bytes = index.shards.reduce((sum, shard) => sum + shard.bytes, 0);
    const shards = index.shards.map(
      (shard, i) => [String(i), { stage: 'DONE', stats: stats(shard.files.length, shard.bytes, info) }] as const,
    );
    return {
      name: index.name,
      files,
      bytes,
      json: {
        shards_stats: counts(index.shards.length, failed, isDone),
        stats: stats(files, bytes, info),
        shards: Object.fromEntries(shards),
      },
    };
  });
  const sum = (key: 'files' | 'bytes'): number => indices.reduce((total, index) => total + index[key], 0);
  return {
    snapshot: info.name,
    repository,
    uuid: info.uuid,
    state: isDone ? info.state : 'STARTED',
    include_global_state: info.includeGlobalState,
    shards_stats: counts(info.totalShards, info.failures.length, isDone),
    stats: stats(sum('files'), sum('bytes'), info),
    indices: Object.fromEntries(indices.map(({ name, json }) => [name, json])),
  };
}
