import type { IndexMetadata } from '@shoal/state';
import type { SnapshotIndex, SnapshotStream } from './snapshot-info.js';

/** A request for a new snapshot. */
export interface SnapshotRequest {
  readonly name: string;
  readonly indices: readonly IndexMetadata[];
  readonly includeGlobalState: boolean;
  /** Names of the features whose states are added; none if absent. */
  readonly features?: readonly string[];
  /** Whether the snapshot is kept if some shards fail. */
  readonly partial: boolean;
  readonly metadata: unknown;
}

/** An index to restore, with its new name and changed settings. */
export interface RestoredIndex {
  readonly from: SnapshotIndex;
  readonly name: string;
  readonly settings: SnapshotIndex['settings'];
  readonly aliases: SnapshotIndex['aliases'];
  /** Set for an index that is mounted: whether it reads its files through a cache. */
  readonly mount?: { readonly isPartial: boolean };
}

/** What a restore brings back besides indices. */
export interface RestoredState {
  /** Whether settings, templates, pipelines, scripts and policies take the place of the present ones. */
  readonly globalState: boolean;
  /** Features whose other state is restored; their indices are among those to restore. */
  readonly features: readonly string[];
  /** Indices of these features that exist now, by uuid: they are deleted first. */
  readonly replaced: readonly string[];
  readonly streams: readonly SnapshotStream[];
  /** Who restores. */
  readonly authentication: unknown;
}

/** Name and folder of a repository. */
export interface RepositoryPlace {
  readonly repository: string;
  /** Folder of the repository. */
  readonly folder: string;
  /** Set if nothing in the folder may be changed. */
  readonly isReadOnly?: true;
  /** Set for a repository of type `source`, which keeps documents only. */
  readonly isSourceOnly?: true;
  /** Bytes per second that a snapshot writes, and a restore reads, on a node; no limit if absent. */
  readonly snapshotRate?: number;
  readonly restoreRate?: number;
}
