import type { Files, Log } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { ClusterAccess } from '../cluster-access.js';
import { newestCatalog, removeOldCatalogs } from './catalog.js';
import type { SnapshotInfo } from './snapshot-info.js';
import type { WrittenCatalogs } from './written-catalogs.js';

/**
 * A change of a repository by the elected master. Catalogs and new files have its number in their names, which no other
 * change has: whatever a master that was replaced still writes or deletes is not what its successors write and need.
 */
export interface RepositoryChange {
  readonly number: number;
  /** Snapshots in the catalog when the change began, oldest first. */
  readonly before: readonly SnapshotInfo[];
  /** Writes the catalog. It counts as soon as this resolves, unless another master has begun a change. */
  write(snapshots: readonly SnapshotInfo[]): Promise<void>;
  /**
   * Resolves once the cluster state has that no other change was begun. What was listed or written before belongs to no
   * change of another master: only now may something be deleted. Throws illegal_state_exception otherwise.
   */
  confirm(): Promise<void>;
}

interface ChangeDoors {
  readonly cluster: Pick<ClusterAccess, 'submit' | 'state'>;
  readonly files: Files;
  readonly localNodeId: string;
  readonly log: Log;
}

/** Begins a change of the repository in a folder. */
export async function beginChange(
  { cluster, files, localNodeId: nodeId, log }: ChangeDoors,
  catalogs: WrittenCatalogs,
  folder: string,
): Promise<RepositoryChange> {
  const above = await newestCatalog(files, folder);
  if (cluster.state().masterNodeId !== nodeId)
    throw errors.illegalState('the master has changed while a snapshot repository was changed');
  const { number } = (await cluster.submit('begin-repository-change', { folder, nodeId, above })) as {
    readonly number: number;
  };
  let isWritten = false;
  return {
    number,
    before: await catalogs.read(files, folder),
    async write(snapshots) {
      await catalogs.write(files, folder, number, snapshots);
      isWritten = true;
    },
    async confirm() {
      await cluster.submit('end-repository-change', { folder, nodeId, number });
      // The change has happened. What is left of the catalogs before it does not count, and goes with the next change.
      if (isWritten)
        await removeOldCatalogs(files, folder, number).catch((error: unknown) =>
          log.write('warn', 'old catalogs of a snapshot repository were left', { folder, error }),
        );
    },
  };
}
