import type { Files } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { SnapshotIndex, SnapshotInfo } from './snapshot-info.js';

/** Names of the folders of indices. */
const UUID = /^[\w-]{22}$/;
/**
 * Names of files that snapshots write: a shard, the hash of the content, the number of the change that wrote it (absent
 * in files of earlier builds), and whether it is a manifest.
 */
const FILE = /^\d+-[0-9a-f]{64}(?:\.g\d+)?(?:\.manifest)?$/;

/** What a crash leaves of a file that was being written. */
const LEFTOVER = /^\d+-[0-9a-f]{64}(?:\.g\d+)?(?:\.manifest)?\.[0-9a-f]{16}\.new$/;

/** Folder of the files that snapshots share. */
const dataFolder = (folder: string): string => `${folder}/data`;

/** Folder of the files of an index. */
export const sharedFolder = (folder: string, indexUuid: string): string => `${dataFolder(folder)}/${indexUuid}`;

/** Returns the indices whose files are shared. */
const sharedIndices = (snapshots: readonly SnapshotInfo[]): SnapshotIndex[] =>
  snapshots.flatMap(({ indices }) => indices.filter(({ layout }) => layout === 2));

/** Names of the manifests of an index in snapshots. */
function manifestsOf(snapshots: readonly SnapshotInfo[], indexUuid: string): ReadonlySet<string> {
  const own = sharedIndices(snapshots).filter(({ uuid }) => uuid === indexUuid);
  return new Set(own.flatMap(({ shards }) => shards.flatMap(({ files }) => files)));
}

/** Manifest of the newest snapshot of a shard; null if there is none. */
export function newestManifest(snapshots: readonly SnapshotInfo[], indexUuid: string, shard: number): string | null {
  const found = snapshots.findLast(({ indices }) =>
    indices.some(({ uuid, layout, shards }) => uuid === indexUuid && layout === 2 && shards[shard]?.files.length === 1),
  );
  return found?.indices.find(({ uuid }) => uuid === indexUuid)?.shards[shard]?.files[0] ?? null;
}

/** Names of manifests and of the files that they refer to. Throws corrupt_index_exception for a damaged manifest. */
async function referredBy(files: Files, folder: string, manifests: Iterable<string>): Promise<Set<string>> {
  const names = new Set<string>();
  for (const manifest of manifests) {
    names.add(manifest);
    const bytes = await files.read(`${folder}/${manifest}`);
    if (bytes === null) continue;
    try {
      const { files: listed } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { readonly files: string[] };
      for (const name of listed) names.add(name);
    } catch {
      throw errors.corruption(`file [${manifest}] of the repository is no manifest`);
    }
  }
  return names;
}

/** Files to delete, by folder. */
export type Doomed = readonly { readonly folder: string; readonly names: readonly string[] }[];

/**
 * Returns the files that only snapshots to delete refer to. It is computed before the snapshots leave the catalog, and
 * the files are deleted after that: after a crash in between they are strays, never missing.
 */
export async function filesOnlyOf(
  files: Files,
  folder: string,
  gone: readonly SnapshotInfo[],
  kept: readonly SnapshotInfo[],
): Promise<Doomed> {
  const uuids = new Set(sharedIndices(gone).map(({ uuid }) => uuid));
  const doomed: { folder: string; names: readonly string[] }[] = [];
  for (const uuid of uuids) {
    const own = sharedFolder(folder, uuid);
    const keeps = await referredBy(files, own, manifestsOf(kept, uuid));
    const refers = await referredBy(files, own, manifestsOf(gone, uuid));
    doomed.push({ folder: own, names: [...refers].filter((name) => !keeps.has(name)) });
  }
  return doomed;
}

/** Deletes files; folders that become empty go too. */
export async function removeFiles(files: Files, repository: string, doomed: Doomed): Promise<void> {
  for (const { folder, names } of doomed) {
    for (const name of names) if (FILE.test(name) || LEFTOVER.test(name)) await files.remove(`${folder}/${name}`);
    await files.removeEmptyFolder(folder);
  }
  await files.removeEmptyFolder(dataFolder(repository));
}

/** Returns the files that no snapshot refers to: of snapshots that were given up, and of interrupted deletions. */
export async function strayFiles(files: Files, folder: string, kept: readonly SnapshotInfo[]): Promise<Doomed> {
  const strays: { folder: string; names: readonly string[] }[] = [];
  for (const uuid of await files.list(dataFolder(folder))) {
    if (!UUID.test(uuid)) continue;
    const own = sharedFolder(folder, uuid);
    const keeps = await referredBy(files, own, manifestsOf(kept, uuid));
    const isStray = (name: string): boolean => LEFTOVER.test(name) || (FILE.test(name) && !keeps.has(name));
    const names = (await files.list(own)).filter(isStray);
    strays.push({ folder: own, names });
  }
  return strays;
}
