import type { Files } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { Searcher } from '@shoal/query';
import type { CommitDraft, SegmentDraft, ShardStore } from '@shoal/store';
import type { Shard } from '../shard-api.js';
import { type Compression, fileCompression } from './compression.js';
import type { ExportedDocument } from './export-documents.js';
import { importDocuments } from './import-documents.js';
import { readAhead } from './read-ahead.js';
import { decodePieces, type Piece, readFile, readPacked, type RepositoryShard } from './repository-files.js';
import { decodeManifest, MANIFEST_ENDING, type SegmentEntry, type ShardManifest } from './shard-manifest.js';

/** Files that are read, checked and unpacked while those before them are written; 4 MiB each. */
const READ_AHEAD = 3;
/** Bytes of records that are written at once: views of all records of a file at a time cost more than the writes. */
const WRITE_BYTES = 1 << 20;
/** Superseded operations that are removed by one batch. */
const TRIMMED_MAX = 10_000;

/** A shard of a snapshot to restore. */
export interface RestoreSource {
  /** Folder of the index in the repository. */
  readonly folder: string;
  readonly files: readonly string[];
  /** Number of the shard in the snapshot. */
  readonly shard: number;
}

/** Doors of `placeFiles`. */
export interface PlaceFilesOptions {
  readonly files: Files;
  readonly compression?: Compression | undefined;
  /** Waits until the rate limit lets this many bytes pass. */
  readonly limit: (bytes: number) => Promise<unknown>;
}

/** Whether a snapshot has the files of shards; older snapshots have their documents as JSON. */
export const hasFiles = ({ files }: RestoreSource): boolean => files[0]?.endsWith(MANIFEST_ENDING) === true;

/** Reads the manifest of a snapshot of a shard. */
export async function manifestOf(source: RepositoryShard, { files }: RestoreSource): Promise<ShardManifest> {
  return decodeManifest(files[0]!, await readFile(source, files[0]!));
}

/** Bytes of a text of hexadecimal digits. */
export const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

async function placeSegment(
  store: ShardStore,
  entry: SegmentEntry,
  read: (name: string) => Promise<Uint8Array>,
): Promise<SegmentDraft> {
  const writer = store.writer(entry.number, entry.madeBy === null ? null : fromHex(entry.madeBy));
  for (const { name } of entry.files)
    for (const [part, chunk] of decodePieces(await read(name))) await writer.write(entry.parts[part]!, chunk);
  const { byteSize, rootHash } = await writer.finish();
  if (Buffer.from(rootHash).toString('hex') !== entry.rootHash)
    throw errors.corruption(`segment [${entry.number}] of the snapshot is not whole`);
  const { number: segment, maxDoc, deletedDocs } = entry;
  return { segment, maxDoc, byteSize, rootHash, deletedDocs, live: await liveOf(entry, read) };
}

/** Bits of the live documents of a segment; null if none is deleted. */
export async function liveOf(
  { live }: SegmentEntry,
  read: (name: string) => Promise<Uint8Array>,
): Promise<SegmentDraft['live']> {
  if (live === null) return null;
  const [[, bits] = [0, new Uint8Array(0)]] = [...decodePieces(await read(live.name))];
  return { words: new Int32Array(new Uint8Array(bits).buffer), isChanged: true };
}

/** Commit point of a restored store with these segments. */
export function restoredCommit(manifest: ShardManifest, segments: readonly SegmentDraft[]): CommitDraft {
  const { maxSeqNo, primaryTerm, nextSegment, tombstones, epochs } = manifest;
  return {
    segments,
    maxSeqNo,
    primaryTerm,
    nextSegment,
    superseded: [],
    tombstones,
    leases: [],
    // No write of the index that the snapshot was taken of is repeated here.
    retriesFrom: -1,
    historyFloor: maxSeqNo + 1,
    epochs,
  };
}

/** Pieces in batches of about `WRITE_BYTES`. */
function* batchesOf(pieces: Iterable<Piece>): Generator<readonly Piece[]> {
  let batch: Piece[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    batch.push(piece);
    bytes += piece[1].length;
    if (bytes < WRITE_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function placeAll(
  store: ShardStore,
  manifest: ShardManifest,
  read: (name: string) => Promise<Uint8Array>,
): Promise<void> {
  for (const { file } of manifest.operations)
    for (const records of batchesOf(decodePieces(await read(file.name)))) await store.importRecords(records);
  const segments: SegmentDraft[] = [];
  for (const entry of manifest.segments) segments.push(await placeSegment(store, entry, read));
  if (manifest.maxSeqNo < 0) return;
  store.setGlobalCheckpoint(manifest.maxSeqNo);
  await store.writeCommit(restoredCommit(manifest, segments));
}

/**
 * Fills an empty store with the files of a snapshot, and closes it. The commit point comes last: a store that is filled
 * in part is never taken for a complete one. Throws corrupt_index_exception with the name of a missing or damaged file.
 */
export async function placeFiles(store: ShardStore, from: RestoreSource, options: PlaceFilesOptions): Promise<void> {
  const { files, compression = fileCompression, limit } = options;
  const source = { files, compression, folder: from.folder, shard: from.shard };
  try {
    const manifest = await manifestOf(source, from);
    const ofSegments = manifest.segments.flatMap(({ files: own, live }) => (live ? [...own, live] : own));
    const all = [...manifest.operations.map(({ file }) => file), ...ofSegments].map(({ name }) => name);
    const ahead = readAhead(all, READ_AHEAD, async (name) => {
      const content = await readPacked(source, name);
      await limit(content.length);
      return content;
    });
    await placeAll(store, manifest, ahead.read).finally(ahead.end);
  } finally {
    await store.close();
  }
}

/** A set of operations by number. */
class OperationSet {
  readonly #bits: Uint8Array;
  size = 0;

  constructor(maxSeqNo: number) {
    this.#bits = new Uint8Array((maxSeqNo >>> 3) + 1);
  }

  add(seqNo: number): void {
    if (this.has(seqNo)) return;
    this.#bits[seqNo >>> 3]! |= 1 << (seqNo & 7);
    this.size++;
  }

  has(seqNo: number): boolean {
    return ((this.#bits[seqNo >>> 3]! >>> (seqNo & 7)) & 1) === 1;
  }
}

/** Adds the operations that hold the live documents of a searcher. */
function addLive(searcher: Searcher, into: OperationSet): void {
  for (const { reader, live, maxDoc } of searcher.segments) {
    const column = reader.numbers('_seq_no');
    if (!column) continue;
    const seqNos = new Float64Array(maxDoc);
    column.readRange(0, maxDoc, seqNos);
    for (let doc = 0; doc < maxDoc; doc++)
      if (!(reader.roots && !reader.roots.get(doc)) && !(live && !live.get(doc))) into.add(seqNos[doc]!);
  }
}

/** Removes operations that no document and no delete needs: their files were written before they were superseded. */
async function trimStale(shard: Shard, { maxSeqNo, operations, tombstones }: ShardManifest): Promise<void> {
  if (maxSeqNo < 0) return;
  const needed = new OperationSet(maxSeqNo);
  // The last operation stays, as in every log: a checkpoint may name it, even if it was a delete that is forgotten.
  for (const seqNo of [...tombstones, maxSeqNo]) needed.add(seqNo);
  const lease = shard.acquire();
  try {
    addLive(lease.searcher, needed);
  } finally {
    lease.release();
  }
  if (operations.reduce((sum, range) => sum + range.count, 0) <= needed.size) return;
  let stale: number[] = [];
  for await (const [seqNo] of shard.log.store.records(0, maxSeqNo)) {
    if (needed.has(seqNo)) continue;
    stale.push(seqNo);
    if (stale.length < TRIMMED_MAX) continue;
    await shard.log.store.trim(stale);
    stale = [];
  }
  if (stale.length > 0) await shard.log.store.trim(stale);
}

const importPage = (shard: Shard, page: Uint8Array): Promise<void> =>
  importDocuments(shard, JSON.parse(Buffer.from(page).toString('utf8')) as ExportedDocument[]);

async function restoreDocuments(shard: Shard, { folder, files }: RestoreSource): Promise<void> {
  for (const name of files) {
    const packed = await shard.repositoryFiles.read(`${folder}/${name}`);
    if (!packed) throw errors.corruption(`file [${name}] of the snapshot is missing`);
    await importPage(shard, await shard.compression.unpack(packed));
  }
}

/** Completes a restored shard: what arrived after the commit of the snapshot, or all documents of an old snapshot. */
export async function completeRestore(shard: Shard, from: RestoreSource): Promise<void> {
  if (shard.mounted) return;
  if (hasFiles(from)) {
    const { repositoryFiles: files, compression } = shard;
    const source = { files, compression, folder: from.folder, shard: from.shard };
    const manifest = await manifestOf(source, from);
    for (const { name } of manifest.pages ?? []) await importPage(shard, await readPacked(source, name));
    await trimStale(shard, manifest);
    if (manifest.tail !== null) {
      const records = [...decodePieces(await readPacked(source, manifest.tail.file.name))];
      await shard.log.receive(
        manifest.tail.from,
        records.map(([, value]) => new Uint8Array(value)),
      );
    }
  } else await restoreDocuments(shard, from);
  // Nothing was changed if all was in the commit of the snapshot: a flush would forget the deletes that are old by now.
  await shard.flushChanges();
  shard.refresh();
}
