import { errors } from '@shoal/errors';
import type { Searcher } from '@shoal/query';
import type { Shard } from '../shard-api.js';
import { type ExportedDocument, liveDocuments, readPage } from './export-documents.js';
import { importDocuments } from './import-documents.js';

/** Snapshot of a shard: names of its files, each a gzip-compressed JSON array of documents. */
export interface ShardSnapshot {
  readonly files: readonly string[];
  readonly bytes: number;
  readonly documents: number;
}

/** Body of the call that writes a snapshot. */
export interface SnapshotRequest {
  /** Folder to which the files are written. */
  readonly folder: string;
}

async function writePages(shard: Shard, searcher: Searcher, folder: string): Promise<ShardSnapshot> {
  const candidates = liveDocuments(searcher, -1);
  const files: string[] = [];
  let bytes = 0;
  let start = 0;
  do {
    const page = readPage(searcher, candidates, start);
    const packed = await shard.compression.compress(JSON.stringify(page));
    const name = `${shard.id}-${files.length}.json.gz`;
    await shard.repositoryFiles.replace(`${folder}/${name}`, packed);
    files.push(name);
    bytes += packed.length;
    start += page.length;
  } while (start < candidates.length);
  return { files, bytes, documents: candidates.length };
}

/** Writes the shard's documents as of now; later writes are not in the snapshot. */
export async function snapshotShard(shard: Shard, body: unknown): Promise<ShardSnapshot> {
  shard.refresh();
  const lease = shard.acquire();
  try {
    return await writePages(shard, lease.searcher, (body as SnapshotRequest).folder);
  } finally {
    lease.release();
  }
}

/** Fills an empty shard from the files that `snapshotShard` wrote. */
export async function restoreShard(shard: Shard, folder: string, files: readonly string[]): Promise<void> {
  for (const name of files) {
    const packed = await shard.repositoryFiles.read(`${folder}/${name}`);
    if (!packed) throw errors.corruption(`file [${name}] of the snapshot is missing`);
    const page = await shard.compression.decompress(packed);
    await importDocuments(shard, JSON.parse(page) as ExportedDocument[]);
  }
  await shard.flush();
  shard.refresh();
}
