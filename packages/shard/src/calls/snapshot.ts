import { createRateLimit } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { CommittedSegment, SegmentBytes, ShardStore } from '@shoal/store';
import type { PinnedCommit, Shard } from '../shard-api.js';
import type { RestoreSource } from './restore.js';
import { sourcesOf } from './snapshot-sources.js';
import {
  byHash,
  checkWanted,
  encodePieces,
  FILE_BYTES,
  type Piece,
  readFile,
  type RepositoryShard,
  writeFile,
  writePacked,
} from './repository-files.js';
import {
  decodeManifest,
  type FileRef,
  MANIFEST_ENDING,
  type OperationRange,
  type SegmentEntry,
  type SegmentFile,
  type ShardManifest,
} from './shard-manifest.js';

/** A range of operations with fewer record bytes is read again with those that follow. */
const SMALL_RANGE_BYTES = 256 << 10;
/** Operations may be kept beyond their time up to this factor of the live documents; then all are written anew. */
const STALE_FACTOR = 2;
const STALE_ALLOWED = 10_000;

/** Answer of the call `snapshot`. */
export interface ShardSnapshot {
  /** The manifest. */
  readonly files: readonly string[];
  readonly segments: number;
  /** Number and bytes of all files that the snapshot needs. */
  readonly fileCount: number;
  readonly bytes: number;
  readonly documents: number;
  /** Files and bytes that were not in the repository before. */
  readonly added: { readonly files: number; readonly bytes: number };
  readonly primaryTerm: number;
}

/** Body of the call `snapshot`. */
export interface SnapshotRequest {
  /** Folder of the index in the repository. */
  readonly folder: string;
  /** Manifest of the newest snapshot of the shard in the repository; null for none. */
  readonly base: string | null;
  /** Number of the change of the repository; masters of earlier builds send none. */
  readonly change?: number;
  /** Bytes per second that are written; no limit if absent. */
  readonly bytesPerSecond?: number;
  /** Whether only documents are kept. */
  readonly isSourceOnly?: true;
  /** Of a mounted shard: the files that it reads, in another repository. */
  readonly from?: RestoreSource;
}

class SnapshotWriter {
  readonly #target: RepositoryShard;
  readonly #store: ShardStore;
  readonly #base: ShardManifest | null;
  readonly #names: ReadonlySet<string>;
  readonly #added = { files: 0, bytes: 0 };
  readonly #limit: (bytes: number) => Promise<void>;

  constructor(
    target: RepositoryShard,
    store: ShardStore,
    base: ShardManifest | null,
    limit: (bytes: number) => Promise<void>,
  ) {
    this.#target = target;
    this.#names = new Set(target.known?.values());
    this.#limit = limit;
    this.#store = store;
    // Operations and segments of another history are others, even under the same numbers.
    this.#base = base?.historyUuid === store.identity.historyUuid ? base : null;
  }

  get added(): { readonly files: number; readonly bytes: number } {
    return this.#added;
  }

  async #pack(pieces: readonly Piece[]): Promise<FileRef> {
    const file = await writePacked(this.#target, encodePieces(pieces));
    if (this.#names.has(file.name)) return file;
    this.#added.files++;
    this.#added.bytes += file.bytes;
    await this.#limit(file.bytes);
    return file;
  }

  /** Describes a segment; copies it unless the base has it. `words`: bits of its live documents. */
  async segment(committed: CommittedSegment, words: Int32Array | null): Promise<SegmentEntry> {
    const { segment, rootHash, maxDoc, deletedDocs } = committed;
    const bytes = this.#store.segment(segment, rootHash);
    try {
      const hash = Buffer.from(rootHash).toString('hex');
      const madeBy = bytes.madeBy === null ? null : Buffer.from(bytes.madeBy).toString('hex');
      const known = this.#base?.segments.find(
        (one) => madeBy !== null && one.madeBy === madeBy && one.rootHash === hash && one.number === segment,
      );
      const parts = known?.parts ?? bytes.parts;
      const files = known ? withChunks(bytes, known.files) : await this.#copySegment(bytes);
      const live = await this.#live(committed, words, known);
      return {
        number: segment,
        maxDoc,
        deletedDocs,
        byteSize: committed.byteSize,
        rootHash: hash,
        madeBy,
        parts,
        files,
        manifest: Buffer.from(bytes.manifest).toString('base64'),
        live,
      };
    } finally {
      bytes.release();
    }
  }

  async #copySegment(bytes: SegmentBytes): Promise<SegmentFile[]> {
    const files: SegmentFile[] = [];
    for (const pieces of packsOf(bytes)) files.push({ ...(await this.#pack(pieces)), chunks: pieces.length });
    return files;
  }

  async #live(
    committed: CommittedSegment,
    words: Int32Array | null,
    known: SegmentEntry | undefined,
  ): Promise<FileRef | null> {
    if (words === null) return null;
    if (known?.live && known.deletedDocs === committed.deletedDocs) return known.live;
    return this.#pack([[0, new Uint8Array(words.buffer, words.byteOffset, words.byteLength)]]);
  }

  /** Describes the operations up to a commit; copies those that the base does not have. */
  async operations(last: number, needed: number): Promise<OperationRange[]> {
    const ranges = this.#kept(last, needed);
    const from = (ranges.at(-1)?.to ?? -1) + 1;
    ranges.push(...(await this.range(from, last)));
    return ranges;
  }

  /** Ranges of the base that stay: none if too much of them is stale; not a small last one. */
  #kept(last: number, needed: number): OperationRange[] {
    const known = (this.#base?.operations ?? []).filter(({ to }) => to <= last);
    const count = known.reduce((sum, range) => sum + range.count, 0);
    if (count > needed * STALE_FACTOR + STALE_ALLOWED) return [];
    const end = known.at(-1);
    const isOver = end === undefined || end.to === last || end.recordBytes >= SMALL_RANGE_BYTES;
    return isOver ? known : known.slice(0, -1);
  }

  /** Copies the operations `from` … `last`, in ranges without gaps between them. */
  async range(from: number, last: number): Promise<OperationRange[]> {
    const ranges: OperationRange[] = [];
    let [start, size, pieces] = [from, 0, [] as Piece[]];
    const close = async (to: number): Promise<void> => {
      const file = await this.#pack(pieces);
      ranges.push({ from: start, to, count: pieces.length, recordBytes: size, file });
      [start, size, pieces] = [to + 1, 0, []];
    };
    for await (const [seqNo, value] of this.#store.records(from, last)) {
      pieces.push([seqNo, value]);
      size += value.length;
      if (size >= FILE_BYTES) await close(seqNo);
    }
    if (pieces.length > 0) await close(last);
    return ranges;
  }
}

/** The chunks of a segment as they go into files, with the numbers of their parts. */
function* packsOf(bytes: SegmentBytes): Generator<readonly Piece[]> {
  let pieces: Piece[] = [];
  let size = 0;
  for (const [number, part] of bytes.parts.entries())
    for (let i = 0; i < bytes.chunkCount(part); i++) {
      const chunk = bytes.chunk(part, i);
      pieces.push([number, chunk]);
      size += chunk.length;
      if (size < FILE_BYTES) continue;
      yield pieces;
      [pieces, size] = [[], 0];
    }
  if (pieces.length > 0) yield pieces;
}

/** Adds the numbers of chunks to files that an earlier build wrote: it packed them in the same way. */
function withChunks(bytes: SegmentBytes, files: readonly SegmentFile[]): readonly SegmentFile[] {
  if (files.every(({ chunks }) => chunks !== undefined)) return files;
  const counts = Array.from(packsOf(bytes), (pieces) => pieces.length);
  return counts.length === files.length ? files.map((file, i) => ({ ...file, chunks: counts[i]! })) : files;
}

async function readBase(target: RepositoryShard, name: string | null): Promise<ShardManifest | null> {
  if (name === null) return null;
  // A base that is damaged is none: the snapshot then copies everything.
  return readFile(target, name).then(
    (bytes) => decodeManifest(name, bytes),
    () => null,
  );
}

const filesOf = ({
  segments,
  operations,
  tail,
  pages = [],
}: Pick<ShardManifest, 'segments' | 'operations' | 'tail' | 'pages'>): FileRef[] => [
  ...pages,
  ...segments.flatMap(({ files, live }) => (live ? [...files, live] : files)),
  ...operations.map(({ file }) => file),
  ...(tail ? [tail.file] : []),
];

async function takePinned(
  shard: Shard,
  target: RepositoryShard,
  pin: PinnedCommit | null,
  base: ShardManifest | null,
  bytesPerSecond: number,
) {
  const { store } = shard.log;
  // Read at once: a pin holds segments and operations, but the deletes of a commit go when a newer one is safe.
  const lives = (pin?.commit.segments ?? []).map((one) => store.live(one));
  // What is acknowledged is below the global checkpoint; what is above it may still be undone.
  const last = Math.min(shard.log.maxSeqNo, store.globalCheckpoint);
  const writer = new SnapshotWriter(
    target,
    store,
    base,
    createRateLimit(shard.clock, () => bytesPerSecond),
  );
  const commit = pin?.commit;
  const maxSeqNo = commit?.maxSeqNo ?? -1;
  const segments: SegmentEntry[] = [];
  for (const [i, one] of (commit?.segments ?? []).entries()) segments.push(await writer.segment(one, lives[i]!));
  const documents = segments.reduce((sum, one) => sum + one.maxDoc - one.deletedDocs, 0);
  const tombstones = commit?.tombstones ?? [];
  const operations = await writer.operations(maxSeqNo, documents + tombstones.length);
  // More than one range only after an immense backlog of writes.
  const tails = last > maxSeqNo ? await writer.range(maxSeqNo + 1, last) : [];
  if (tails.length > 1) throw errors.illegalState('too many operations arrived while the snapshot began');
  const [tail = null] = tails;
  const manifest: ShardManifest = {
    format: 2,
    files: filesOf({ segments, operations, tail }).map(({ name }) => name),
    historyUuid: store.identity.historyUuid,
    maxSeqNo,
    primaryTerm: Math.max(store.currentTerm, commit?.primaryTerm ?? 1),
    nextSegment: commit?.nextSegment ?? 0,
    epochs: commit?.epochs ?? [],
    tombstones,
    documents,
    segments,
    operations,
    tail,
  };
  return { manifest, added: writer.added };
}

/** Writes the manifest, last. */
async function written(
  target: RepositoryShard,
  baseName: string | null,
  { manifest, added }: { readonly manifest: ShardManifest; readonly added: ShardSnapshot['added'] },
): Promise<ShardSnapshot> {
  const file = await writeFile(target, Buffer.from(JSON.stringify(manifest)), MANIFEST_ENDING);
  const isNew = file.name !== baseName;
  return {
    files: [file.name],
    fileCount: manifest.files.length + 1,
    bytes: filesOf(manifest).reduce((sum, one) => sum + one.bytes, file.bytes),
    documents: manifest.documents,
    segments: manifest.segments.length,
    added: { files: added.files + (isNew ? 1 : 0), bytes: added.bytes + (isNew ? file.bytes : 0) },
    primaryTerm: manifest.primaryTerm,
  };
}

/** Copies the files of a mounted shard from the repository in which they are; the shard itself has a part of them. */
async function copyMounted(
  target: RepositoryShard,
  from: RestoreSource,
  base: ShardManifest | null,
  limit: (bytes: number) => Promise<void>,
) {
  const source = { ...target, folder: from.folder };
  const manifest = decodeManifest(from.files[0]!, await readFile(source, from.files[0]!));
  const known = new Set(base?.files);
  const added = { files: 0, bytes: 0 };
  for (const name of manifest.files) {
    if (known.has(name)) continue;
    const bytes = await readFile(source, name);
    checkWanted(target);
    await target.files.replace(`${target.folder}/${name}`, bytes);
    added.files++;
    added.bytes += bytes.length;
    await limit(bytes.length);
  }
  return { manifest, added };
}

/**
 * Waits until the global checkpoint of the primary covers all its operations as of now.
 *
 * A primary n0 acknowledges operations 10 to 12, which n2 has, and leaves before n2 hears of a global checkpoint above
 * 9. The promoted n2 has the operations, and learns that they are safe when the copies in sync have answered it: a
 * snapshot up to the checkpoint that n2 knows at once would lack acknowledged writes. A copy that is no longer the
 * primary may lack newer ones, and gets no answer from those in sync.
 */
async function settled({ log }: Shard): Promise<void> {
  await log.answerable(log.maxSeqNo);
  if (log.gate === null && !log.store.isAlone) throw errors.retryOnPrimary('the copy is not the primary');
}

/**
 * Copies what the repository lacks of the shard as of now; later writes are not in the snapshot. Blocks no write. Once
 * `signal` aborts, no more files are written.
 */
export async function snapshotShard(
  shard: Shard,
  body: unknown,
  _access?: Uint8Array,
  signal?: AbortSignal,
): Promise<ShardSnapshot> {
  const { folder, base: baseName, change, bytesPerSecond = 0, isSourceOnly, from } = body as SnapshotRequest;
  const place = { files: shard.repositoryFiles, compression: shard.compression, folder, shard: shard.id, signal };
  const base = await readBase(place, baseName);
  const target = { ...place, change, known: byHash(base && baseName !== null ? [...base.files, baseName] : []) };
  if (from && shard.mounted && !isSourceOnly) {
    const copied = await copyMounted(
      target,
      from,
      base,
      createRateLimit(shard.clock, () => bytesPerSecond),
    );
    return written(target, baseName, copied);
  }
  await settled(shard);
  if (isSourceOnly) return written(target, baseName, await sourcesOf(shard, target, base, bytesPerSecond));
  await shard.flushChanges();
  const pin = shard.log.pin();
  try {
    return await written(target, baseName, await takePinned(shard, target, pin, base, bytesPerSecond));
  } finally {
    pin?.release();
  }
}
