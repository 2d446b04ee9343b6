import { type ClusterState, type IndexMetadata, section } from '@shoal/state';
import type { SnapshotFailure, SnapshotInfo } from './snapshot-info.js';
import type { RepositoryPlace, SnapshotRequest } from './snapshot-requests.js';

/**
 * A snapshot that was begun, as the cluster state has it until it is in the catalog: a new master takes it from the
 * beginning, under the same uuid. Files that are there already are found by their names.
 */
export interface RunningSnapshot {
  readonly place: RepositoryPlace;
  /** Without indices. */
  readonly info: SnapshotInfo;
  readonly uuids: readonly string[];
  readonly names: readonly string[];
  readonly partial: boolean;
  readonly features: readonly string[];
  /** Whether it was deleted meanwhile: nobody goes on with it. */
  readonly isAborted?: true;
}

/** A running snapshot of this master: what ends it early, and its end. */
export interface Ending {
  readonly abort: AbortController;
  readonly finished: Promise<SnapshotInfo>;
}

export const isRunning = ({ state }: SnapshotInfo): boolean => state === 'IN_PROGRESS';

/** Section of the cluster state that holds running snapshots by `runningKey`. */
export const RUNNING_SECTION = 'snapshots';

export const runningKey = ({ repository }: RepositoryPlace, name: string): string => `${repository}/${name}`;

/** Describes a snapshot for the cluster state. */
export function describeRunning(place: RepositoryPlace, info: SnapshotInfo, request: SnapshotRequest): RunningSnapshot {
  return {
    place,
    info: { ...info, indices: [] },
    uuids: request.indices.map(({ uuid }) => uuid),
    names: request.indices.map(({ name }) => name),
    partial: request.partial,
    features: request.features ?? [],
  };
}

/** Snapshots that the cluster state knows as running, by key. */
export const runningSnapshots = (state: ClusterState): Readonly<Record<string, RunningSnapshot>> =>
  section(state, RUNNING_SECTION) as Readonly<Record<string, RunningSnapshot>>;

/** The request of a running snapshot, and a failure for each index that was deleted meanwhile. */
export function requestOf(
  state: ClusterState,
  { info, uuids, names, partial, features }: RunningSnapshot,
): { readonly request: SnapshotRequest; readonly lost: readonly SnapshotFailure[] } {
  const found = uuids.map((uuid) => state.indices.get(uuid));
  const lost = names.filter((_, i) => !found[i]);
  const { name, includeGlobalState, metadata } = info;
  const indices = found.filter((index): index is IndexMetadata => index !== undefined);
  return {
    request: { name, indices, includeGlobalState, features, partial, metadata },
    lost: lost.map((index) => ({ index, shard: 0, reason: 'the index was deleted while the snapshot was taken' })),
  };
}
