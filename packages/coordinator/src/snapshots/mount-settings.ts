import { type FlatSettings, MOUNTED } from '@shoal/state';
import type { SnapshotIndex, SnapshotInfo } from './snapshot-info.js';

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
