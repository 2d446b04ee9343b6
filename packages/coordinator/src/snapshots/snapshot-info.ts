import type { AliasMetadata, SettingValue } from '@shoal/state';

/** Files that a shard wrote; see the `snapshot` call of the shard room. */
export interface ShardFiles {
  readonly files: readonly string[];
  readonly bytes: number;
  readonly documents: number;
}

/** An index in a snapshot. */
export interface SnapshotIndex {
  readonly name: string;
  readonly uuid: string;
  readonly settings: Readonly<Record<string, SettingValue>>;
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
  readonly routingShards: number;
  /** Files of each shard. */
  readonly shards: readonly ShardFiles[];
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
  readonly metadata: unknown;
  readonly startedAtMs: number;
  /** End in milliseconds since 1970; 0 while the snapshot runs. */
  readonly endedAtMs: number;
  readonly failures: readonly SnapshotFailure[];
  readonly totalShards: number;
}
