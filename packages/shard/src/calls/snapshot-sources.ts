import { createRateLimit } from '@shoal/doors';
import type { Shard } from '../shard-api.js';
import { liveDocuments, readPage } from './export-documents.js';
import { type RepositoryShard, writePacked } from './repository-files.js';
import type { FileRef, ShardManifest } from './shard-manifest.js';

/** Pages of the live documents, and what was not in the base. */
interface WrittenPages {
  readonly pages: readonly FileRef[];
  readonly documents: number;
  readonly added: { readonly files: number; readonly bytes: number };
}

/** Writes the live documents as pages of JSON, in order of sequence number. Equal pages have equal names. */
async function writePages(
  shard: Shard,
  target: RepositoryShard,
  known: ReadonlySet<string>,
  bytesPerSecond: number,
): Promise<WrittenPages> {
  const limit = createRateLimit(shard.clock, () => bytesPerSecond);
  const pages: FileRef[] = [];
  const added = { files: 0, bytes: 0 };
  shard.refresh();
  const lease = shard.acquire();
  try {
    const all = liveDocuments(lease.searcher);
    for (let at = 0; at < all.length; ) {
      const page = readPage(lease.searcher, all, at);
      at += page.length;
      const file = await writePacked(target, Buffer.from(JSON.stringify(page)));
      pages.push(file);
      if (known.has(file.name)) continue;
      added.files++;
      added.bytes += file.bytes;
      await limit(file.bytes);
    }
    return { pages, documents: all.length, added };
  } finally {
    lease.release();
  }
}

/** The manifest of a shard of which a repository keeps documents only. */
export async function sourcesOf(
  shard: Shard,
  target: RepositoryShard,
  base: ShardManifest | null,
  bytesPerSecond: number,
): Promise<{ readonly manifest: ShardManifest; readonly added: WrittenPages['added'] }> {
  const { store } = shard.log;
  const known = new Set((base?.pages ?? []).map(({ name }) => name));
  const { pages, documents, added } = await writePages(shard, target, known, bytesPerSecond);
  const manifest: ShardManifest = {
    format: 3,
    files: pages.map(({ name }) => name),
    historyUuid: store.identity.historyUuid,
    maxSeqNo: -1,
    primaryTerm: store.currentTerm,
    nextSegment: 0,
    epochs: [],
    tombstones: [],
    documents,
    segments: [],
    operations: [],
    tail: null,
    pages,
  };
  return { manifest, added };
}
