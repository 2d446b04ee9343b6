import { type ApiError, errors } from '@shoal/errors';
import type { ClusterState, IndexMetadata } from '../state.js';

/** Settings of an index whose files are those of a snapshot. */
export const MOUNTED = {
  type: 'index.store.type',
  partial: 'index.store.snapshot.partial',
  repository: 'index.store.snapshot.repository_name',
  snapshot: 'index.store.snapshot.snapshot_name',
  snapshotUuid: 'index.store.snapshot.snapshot_uuid',
  index: 'index.store.snapshot.index_name',
  indexUuid: 'index.store.snapshot.index_uuid',
} as const;

type Settings = Pick<IndexMetadata, 'settings'>;

/** Whether an index was mounted from a snapshot, so that its shards can always be made again from it. */
export const isMounted = ({ settings }: Settings): boolean => settings[MOUNTED.type] === 'snapshot';

/** Whether a mounted index reads the files of its snapshot through a cache, instead of having all of them. */
export const isPartiallyMounted = (index: Settings): boolean =>
  isMounted(index) && index.settings[MOUNTED.partial] === 'true';

/** Mounted indices whose setting has one of these values, ordered by name. */
function mountedBy(state: ClusterState, setting: string, values: ReadonlySet<string>): readonly IndexMetadata[] {
  const all = [...state.indices.values()].filter(
    (index) => isMounted(index) && values.has(String(index.settings[setting])),
  );
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Number of indices that errors name. */
const NAMED_MAX = 5;

function named(indices: readonly IndexMetadata[]): string {
  const names = indices.slice(0, NAMED_MAX).map(({ name, uuid }) => `[${name}/${uuid}]`);
  return `${names.join(',')}${indices.length > NAMED_MAX ? ',...' : ''}`;
}

/** The error of unregistering repositories that mounted indices read; null if there is no such index. */
export function repositoryInUse(state: ClusterState, repositories: readonly string[]): ApiError | null {
  for (const name of repositories) {
    const indices = mountedBy(state, MOUNTED.repository, new Set([name]));
    if (indices.length > 0)
      return errors.repositoryConflict(
        `[${name}] trying to modify or unregister repository that is currently used (found ${indices.length} ` +
          `searchable snapshots indices that use the repository: ${named(indices)})`,
      );
  }
  return null;
}

/**
 * The error of deleting snapshots, by their uuids, that indices are mounted from; null if there is no such index but
 * the one with the uuid `besides`.
 */
export function snapshotInUse(
  state: ClusterState,
  repository: string,
  uuids: ReadonlySet<string>,
  besides?: string,
): ApiError | null {
  const indices = mountedBy(state, MOUNTED.snapshotUuid, uuids).filter(({ uuid }) => uuid !== besides);
  if (indices.length === 0) return null;
  const snapshot = String(indices[0]!.settings[MOUNTED.snapshot]);
  return errors.repositoryConflict(
    `[${repository}] trying to delete the snapshot [${snapshot}] that is currently used (found ${indices.length} ` +
      `searchable snapshots indices that use the snapshot: ${named(indices)})`,
  );
}
