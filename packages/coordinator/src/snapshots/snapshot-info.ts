import type { AliasMetadata, DataStream, IndexMetadata, SettingValue } from '@shoal/state';
import type { FeatureState } from './features.js';

/** Files that a shard wrote; see the `snapshot` call of the shard room. */
export interface ShardFiles {
  /** The manifest; in the old layout all files. */
  readonly files: readonly string[];
  /** Number of the files that the shard needs; absent in the old layout. */
  readonly fileCount?: number;
  /** Bytes of all files that the shard needs. */
  readonly bytes: number;
  readonly documents: number;
  /** Number of its segments; absent in snapshots of earlier builds. */
  readonly segments?: number;
  /** Files and bytes that this snapshot added to the repository. */
  readonly added?: { readonly files: number; readonly bytes: number };
  /** Primary term of the shard when the snapshot was taken. */
  readonly primaryTerm?: number;
}

/** An index in a snapshot. */
export interface SnapshotIndex {
  readonly name: string;
  readonly uuid: string;
  readonly settings: Readonly<Record<string, SettingValue>>;
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
  readonly routingShards: number;
  /** 2: files are shared by snapshots, in the folder `data/<uuid>`. Absent: each snapshot has its own. */
  readonly layout?: 2;
  /** Files of each shard. */
  readonly shards: readonly ShardFiles[];
}

/** A data stream in a snapshot, with the names of its backing indices, the write index last. */
export interface SnapshotStream extends Omit<DataStream, 'indices'> {
  readonly backing: readonly string[];
}

/** A shard that failed in a snapshot. */
export interface SnapshotFailure {
  readonly index: string;
  readonly shard: number;
  readonly reason: string;
}

/** A snapshot of a repository, finished or running. */
export interface SnapshotInfo {
  readonly name: string;
  readonly uuid: string;
  readonly state: 'IN_PROGRESS' | 'SUCCESS' | 'PARTIAL' | 'FAILED';
  readonly indices: readonly SnapshotIndex[];
  readonly includeGlobalState: boolean;
  /** File with the cluster state; absent if there is none. */
  readonly globalState?: string;
  readonly featureStates?: readonly FeatureState[];
  readonly dataStreams?: readonly SnapshotStream[];
  readonly metadata: unknown;
  readonly startedAtMs: number;
  /** End in milliseconds since 1970; 0 while the snapshot runs. */
  readonly endedAtMs: number;
  readonly failures: readonly SnapshotFailure[];
  readonly totalShards: number;
}

/** Describes an index as it is now, with what its shards wrote. */
export function describeIndex(index: IndexMetadata, shards: readonly ShardFiles[]): SnapshotIndex {
  const { name, uuid, settings, mapping, aliases, numberOfRoutingShards } = index;
  return { name, uuid, settings, mapping, aliases, routingShards: numberOfRoutingShards, shards };
}
