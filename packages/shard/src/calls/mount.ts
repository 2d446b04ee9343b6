import type { Files } from '@shoal/doors';
import { errors } from '@shoal/errors';
import {
  type FileCache,
  FileLayout,
  hasRootHash,
  MountedFiles,
  type MountedSegment,
  partsOfManifest,
  type SegmentDraft,
  type ShardStore,
} from '@shoal/store';
import { type Compression, fileCompression } from './compression.js';
import { hasItsHash, decodePieces, readFile, readPacked, type RepositoryShard } from './repository-files.js';
import { fromHex, hasFiles, liveOf, restoredCommit, type RestoreSource } from './restore.js';
import { decodeManifest, type SegmentEntry, type ShardManifest } from './shard-manifest.js';

/** File in the folder of a mounted copy: the manifest of its snapshot. */
const LOCAL_MANIFEST = 'snapshot.manifest';

/** Doors and place of a mounted copy. */
export interface MountOptions {
  /** Files of repositories. */
  readonly repositoryFiles: Files;
  readonly compression?: Compression | undefined;
  /** Files of the node. */
  readonly files: Files;
  /** Folder of the copy. */
  readonly path: string;
  readonly cache: FileCache;
}

/** A snapshot of a shard that is mounted: its manifest and the files that its store reads. */
export interface MountedSnapshot {
  readonly manifest: ShardManifest;
  readonly mounted: MountedFiles;
}

/** Reads the manifest from the copy's folder, or from the repository if it is not there or not whole. */
async function readManifest(
  source: RepositoryShard,
  name: string,
  { files, path }: MountOptions,
): Promise<ShardManifest> {
  const local = await files.read(`${path}/${LOCAL_MANIFEST}`);
  if (local && hasItsHash(name, local)) return decodeManifest(name, local);
  return decodeManifest(name, await copyManifest(source, name, { files, path }));
}

async function copyManifest(
  source: RepositoryShard,
  name: string,
  { files, path }: Pick<MountOptions, 'files' | 'path'>,
): Promise<Uint8Array> {
  const bytes = await readFile(source, name);
  await files.replace(`${path}/${LOCAL_MANIFEST}`, bytes);
  return bytes;
}

const manifestBytes = ({ manifest }: SegmentEntry): Uint8Array => new Uint8Array(Buffer.from(manifest!, 'base64'));

function mountedSegment(entry: SegmentEntry): MountedSegment {
  const bytes = manifestBytes(entry);
  const parts = hasRootHash(bytes, fromHex(entry.rootHash)) ? partsOfManifest(bytes) : null;
  const files = entry.files.map(({ name, chunks = 0 }) => ({ name, chunks }));
  const count = parts?.reduce((sum, { chunkCount }) => sum + chunkCount, 0);
  if (parts === null || count !== files.reduce((sum, { chunks }) => sum + chunks, 0))
    throw errors.corruption(`segment [${entry.number}] of the snapshot is not whole`);
  return { segment: entry.number, parts, files };
}

/** Whether a store can read the files of a snapshot one by one; else all of them have to be placed. */
function isMountable({ format, tail, segments }: ShardManifest): boolean {
  const isKnown = ({ manifest, files }: SegmentEntry): boolean =>
    manifest !== undefined && files.every(({ chunks }) => chunks !== undefined);
  return format === 2 && tail === null && segments.every(isKnown);
}

/**
 * Describes the snapshot that a mounted copy reads. Null if its files have to be placed at once: it was taken by an
 * earlier build or while writes arrived, or holds documents only.
 */
export async function mountSnapshot(from: RestoreSource, options: MountOptions): Promise<MountedSnapshot | null> {
  const { repositoryFiles: files, compression = fileCompression, cache } = options;
  const source = { files, compression, folder: from.folder, shard: from.shard };
  if (from.files.length === 0) throw errors.corruption(`the snapshot is without shard [${from.shard}]`);
  if (!hasFiles(from)) return null;
  const manifest = await readManifest(source, from.files[0]!, options);
  if (!isMountable(manifest)) return null;
  const layout = new FileLayout(
    manifest.segments.map(mountedSegment),
    manifest.operations.map(({ from: first, to, file }) => ({ from: first, to, name: file.name })),
  );
  const read = async (name: string) => [...decodePieces(await readPacked(source, name))];
  return { manifest, mounted: new MountedFiles({ layout, cache, read }) };
}

/**
 * Fills an empty store with what is not in files that it reads later: manifests and deletes of the segments, and the
 * commit point; then closes it.
 */
export async function placeMounted(
  store: ShardStore,
  { manifest }: MountedSnapshot,
  from: RestoreSource,
  options: MountOptions,
): Promise<void> {
  const { repositoryFiles: files, compression = fileCompression } = options;
  const source = { files, compression, folder: from.folder, shard: from.shard };
  try {
    // The folder is new: the copy opens without its repository from now on.
    await copyManifest(source, from.files[0]!, options);
    const segments: SegmentDraft[] = [];
    for (const entry of manifest.segments) {
      await store.mountSegment(entry.number, manifestBytes(entry));
      const { number: segment, maxDoc, byteSize, deletedDocs } = entry;
      const live = await liveOf(entry, (name) => readPacked(source, name));
      segments.push({ segment, maxDoc, byteSize, rootHash: fromHex(entry.rootHash), deletedDocs, live });
    }
    if (manifest.maxSeqNo < 0) return;
    store.setGlobalCheckpoint(manifest.maxSeqNo);
    // Deletes are remembered for late writes, of which there are none.
    await store.writeCommit(restoredCommit({ ...manifest, tombstones: [] }, segments));
  } finally {
    await store.close();
  }
}
