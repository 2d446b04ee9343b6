import { type FlatSettings, type IndexMetadata, isMounted, isPartiallyMounted, MOUNTED } from '@shoal/state';
import type { SnapshotIndex, SnapshotInfo } from './snapshot-info.js';
import type { RestoredIndex } from './snapshot-requests.js';

/** Settings of an index that is mounted from a snapshot: what it is, and where it is from. */
export function mountSettings(
  repository: string,
  snapshot: SnapshotInfo,
  from: SnapshotIndex,
  isPartial: boolean,
): FlatSettings {
  return {
    [MOUNTED.type]: 'snapshot',
    [MOUNTED.repository]: repository,
    [MOUNTED.snapshot]: snapshot.name,
    [MOUNTED.snapshotUuid]: snapshot.uuid,
    [MOUNTED.index]: from.name,
    [MOUNTED.indexUuid]: from.uuid,
    ...(isPartial ? { [MOUNTED.partial]: 'true' } : {}),
  };
}

/**
 * What a snapshot has of an index that is mounted from a snapshot of the same repository: the files of that snapshot,
 * under its uuid. Null for other indices.
 */
export function mountedFiles(
  index: IndexMetadata,
  snapshots: readonly SnapshotInfo[],
): Pick<SnapshotIndex, 'uuid' | 'shards' | 'layout'> | null {
  if (!isMounted(index)) return null;
  const from = snapshots.find(({ uuid }) => uuid === index.settings[MOUNTED.snapshotUuid]);
  const found = from?.indices.find(({ name }) => name === index.settings[MOUNTED.index]);
  if (found?.layout !== 2) return null;
  const shards = found.shards.map((shard) => ({ ...shard, added: { files: 0, bytes: 0 } }));
  return { uuid: found.uuid, shards, layout: 2 };
}

/** For each shard of an index that reads files of another repository: where they are. */
export function mountedFrom(index: IndexMetadata): (shard: number) => { readonly from?: object } {
  const { restoredFrom } = index;
  if (!isPartiallyMounted(index) || !restoredFrom) return () => ({});
  return (shard) => ({ from: { folder: restoredFrom.folder, files: restoredFrom.files[shard] ?? [], shard } });
}

/** Settings of a managed index that one that is mounted of it does not take over. */
const LEFT = /^index\.(lifecycle|routing\.allocation|number_of_replicas|auto_expand_replicas|store)\b/;

/** An index of a snapshot as a policy mounts it: without replicas, aliases and policy, and it refuses writes. */
export function mountedIndex(from: SnapshotIndex, name: string, isPartial: boolean): RestoredIndex {
  const kept = Object.entries(from.settings).filter(([setting]) => !LEFT.test(setting));
  return {
    from,
    name,
    settings: { ...Object.fromEntries(kept), 'index.number_of_replicas': '0', 'index.blocks.write': 'true' },
    aliases: {},
    mount: { isPartial },
  };
}
