import type { Files } from '@shoal/doors';
import { indexFolder } from './catalog.js';
import type { SnapshotIndex } from './snapshot-info.js';

/*
 * Folders of snapshots of format 1, `<snapshot uuid>/<index uuid>/…`: their documents are not shared. No snapshot of
 * this format is written any more.
 */

/** Matches the names of folders of snapshots and indices. */
const UUID = /^[\w-]{22}$/;

/** Deletes the folders of snapshots that did not finish; `known` are the uuids of those that are there. */
export async function removeStrayFolders(
  files: Files,
  folder: string,
  known: ReadonlySet<string>,
): Promise<{ readonly bytes: number; readonly blobs: number }> {
  const freed = { bytes: 0, blobs: 0 };
  for (const name of await files.list(folder)) {
    if (known.has(name) || !UUID.test(name)) continue;
    const own = `${folder}/${name}`;
    const indices = await files.list(own);
    if (!indices.every((index) => UUID.test(index))) continue;
    freed.bytes += await files.folderSize(own);
    for (const index of indices) freed.blobs += (await files.list(`${own}/${index}`)).length;
    await files.removeFolder(own);
  }
  return freed;
}

/** Copies the files of an index of a snapshot to the folder of another one. */
export async function copyOldFiles(
  files: Files,
  folder: string,
  source: string,
  target: string,
  index: SnapshotIndex,
): Promise<void> {
  const [from, to] = [indexFolder(folder, source, index), indexFolder(folder, target, index)];
  for (const file of index.shards.flatMap(({ files: names }) => names))
    await files.replace(`${to}/${file}`, (await files.read(`${from}/${file}`))!);
}
