import { readdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Files } from '@shoal/doors';
import type { node } from '@shoal/protocol';

/** Reports how full the disk of the data folder is, and how many bytes each shard copy has on it. */
export async function diskReport(dataPath: string, files: Files): Promise<node.DiskReport> {
  const { blocks, bavail, bsize } = await statfs(dataPath);
  const indices = path.join(dataPath, 'indices');
  const shardBytes: Record<string, number> = {};
  for (const uuid of await readdir(indices).catch(() => [])) {
    for (const shard of await readdir(path.join(indices, uuid)).catch(() => [])) {
      shardBytes[`${uuid}/${shard}`] = await files.folderSize(path.join(indices, uuid, shard)).catch(() => 0);
    }
  }
  return { totalBytes: blocks * bsize, freeBytes: bavail * bsize, shardBytes };
}
