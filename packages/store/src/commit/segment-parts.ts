import { createHash } from 'node:crypto';
import { ByteReader, ByteWriter } from '@shoal/codec';
import type { BatchOperation, KeyValueStore } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { BLOCK_OVERHEAD_BYTES, type BlockCache, type CachedBlock, type ClockCache } from './block-cache.js';
import { verifyRecord, appendChecksum } from '../level/checksum.js';
import { readIdentity } from '../copy/identity.js';
import { chunkKey, IDENTITY_KEY, manifestKey, segmentRange } from '../level/keys.js';

/**
 * Chunks are written in synced batches of this many bytes. An unsynced batch is not safe even if a later one is synced:
 * LevelDB may have switched to a new log file in between.
 */
const WRITE_BATCH_BYTES = 1024 * 1024;
const ROOT_HASH_BYTES = 16;
const NO_BYTES = new Uint8Array(0);
/** Formats of a manifest: `sizes` has only the sizes of chunks, `contents` also their checksums. */
const FORMAT = { sizes: 1, contents: 2 } as const;

interface Part {
  readonly name: string;
  readonly chunkCount: number;
  readonly byteSize: number;
  /** Digest of the checksums of all chunks of the part. */
  readonly digest: Uint8Array;
}

/** Reference to a written segment, as commit points have it. */
export interface SealedSegment {
  readonly byteSize: number;
  readonly rootHash: Uint8Array;
}

/** Sink of a new segment. `finish` writes the manifest; without a manifest the segment does not exist. */
export interface SegmentWriter {
  write(part: string, chunk: Uint8Array): Promise<void> | void;
  finish(): Promise<SealedSegment>;
}

interface Manifest {
  /** Chain id of the store that wrote the segment first; null for a manifest in format `sizes`. */
  readonly madeBy: Uint8Array | null;
  readonly parts: readonly Part[];
}

function encodeManifest({ madeBy, parts }: Manifest): Uint8Array {
  const out = new ByteWriter();
  out.u8(madeBy === null ? FORMAT.sizes : FORMAT.contents);
  if (madeBy !== null) out.bytes(madeBy);
  out.varint(parts.length);
  for (const part of parts) {
    out.string(part.name);
    out.varint(part.chunkCount);
    out.varint(part.byteSize);
    if (madeBy !== null) out.bytes(part.digest);
  }
  return out.finish();
}

function decodeManifest(content: Uint8Array): Manifest {
  const input = new ByteReader(content);
  const format = input.u8();
  if (format !== FORMAT.sizes && format !== FORMAT.contents)
    throw errors.corruption('segment manifest of an unknown format');
  const madeBy = format === FORMAT.contents ? new Uint8Array(input.bytes()) : null;
  const parts: Part[] = [];
  for (let i = input.varint(); i > 0; i--) {
    parts.push({
      name: input.string(),
      chunkCount: input.varint(),
      byteSize: input.varint(),
      digest: madeBy === null ? NO_BYTES : new Uint8Array(input.bytes()),
    });
  }
  return { madeBy, parts };
}

const hashOf = (content: Uint8Array): Uint8Array =>
  createHash('sha256').update(content).digest().subarray(0, ROOT_HASH_BYTES);

/** Chain id of a store, from its identity. */
function chainOf(store: KeyValueStore): Uint8Array {
  const identity = store.get(IDENTITY_KEY);
  return identity === undefined ? NO_BYTES : readIdentity(identity).chainId;
}

/**
 * Opens a writer for a new segment. `store` returns the current handle. For a copy of another store's segment, `madeBy`
 * is that of the original: equal root hashes then prove that both come from the same store and have equal chunks.
 */
export function createSegmentWriter(
  store: () => KeyValueStore,
  segment: number,
  madeBy?: Uint8Array | null,
): SegmentWriter {
  const parts = new Map<string, { chunkCount: number; byteSize: number; readonly checksums: ByteWriter }>();
  let waiting: BatchOperation[] = [];
  let waitingBytes = 0;

  const put = (key: Uint8Array, content: Uint8Array): Uint8Array => {
    const value = appendChecksum(key, content);
    waiting.push({ type: 'put', key, value });
    waitingBytes += content.length;
    return value.subarray(content.length);
  };
  const flush = (): Promise<void> => {
    const operations = waiting;
    waiting = [];
    waitingBytes = 0;
    return store().batch(operations, { sync: true });
  };
  return {
    write(part, chunk) {
      let known = parts.get(part);
      if (!known) parts.set(part, (known = { chunkCount: 0, byteSize: 0, checksums: new ByteWriter(64) }));
      known.checksums.raw(put(chunkKey(segment, part, known.chunkCount++), chunk));
      known.byteSize += chunk.length;
      return waitingBytes >= WRITE_BATCH_BYTES ? flush() : undefined;
    },
    async finish() {
      const listed = [...parts].map(([name, { chunkCount, byteSize, checksums }]) => ({
        name,
        chunkCount,
        byteSize,
        digest: hashOf(checksums.finish()),
      }));
      const manifest = encodeManifest({ madeBy: madeBy === undefined ? chainOf(store()) : madeBy, parts: listed });
      put(manifestKey(segment), manifest);
      await flush();
      return { byteSize: listed.reduce((sum, part) => sum + part.byteSize, 0), rootHash: hashOf(manifest) };
    },
  };
}

/** Cache of runs decoded from one segment, until the segment is released. */
export interface DecodedRuns {
  admits(bytes: number): boolean;
  add(bytes: Uint8Array, drop: () => void): { isUsed: boolean };
}

function decodedRuns(cache: ClockCache): { runs: DecodedRuns; release(): void } {
  const held = new Set<CachedBlock>();
  let isReleased = false;
  return {
    runs: {
      admits: (bytes) => !isReleased && cache.admits(bytes),
      add(bytes, drop) {
        const forget = (): void => {
          held.delete(block);
          drop();
        };
        const block: CachedBlock = { bytes, overheadBytes: BLOCK_OVERHEAD_BYTES, isUsed: false, drop: forget };
        held.add(block);
        cache.add(block);
        return block;
      },
    },
    release() {
      isReleased = true;
      for (const block of held) cache.remove(block);
      held.clear();
    },
  };
}

/** Bytes of a sealed segment; has the shape of `SegmentSource` of the package `segments`. */
export interface SegmentBytes {
  readonly id: string;
  readonly byteSize: number;
  /** Chain id of the store that wrote the segment first; null if its root hash does not cover the content. */
  readonly madeBy: Uint8Array | null;
  readonly parts: readonly string[];
  /** Encoded manifest, whose hash is the root hash. */
  readonly manifest: Uint8Array;
  chunkCount(part: string): number;
  chunk(part: string, index: number): Uint8Array;
  readonly decodedRuns: DecodedRuns;
  /** Removes the chunks of the segment from the cache. */
  release(): void;
}

/** Name of a segment in the segments API, as in Lucene: `_0`, `_a`. */
export const segmentName = (segment: number): string => `_${segment.toString(36)}`;

function readChunk(store: KeyValueStore, segment: number, part: string, index: number): Uint8Array {
  const key = chunkKey(segment, part, index);
  return verifyRecord(key, store.get(key), `chunk [${index}] of part [${part}] of segment [${segmentName(segment)}]`);
}

/**
 * Opens a segment for reading. `store` returns the current handle. Throws corrupt_index_exception if the manifest is
 * missing or is not the one with the expected root hash.
 */
export function openSegmentBytes(
  store: () => KeyValueStore,
  segment: number,
  cache: BlockCache,
  rootHash: Uint8Array | null,
  onDamage: (error: unknown) => void,
  onRelease: () => void = () => undefined,
): SegmentBytes {
  const key = manifestKey(segment);
  const content = verifyRecord(key, store().get(key), `manifest of segment [${segmentName(segment)}]`);
  if (rootHash && Buffer.compare(hashOf(content), rootHash) !== 0) {
    throw errors.corruption(`manifest of segment [${segmentName(segment)}] is not the committed one`);
  }
  const { madeBy, parts } = decodeManifest(content);
  const blocks = new Map(
    parts.map((part) => [part.name, new Array<CachedBlock | undefined>(part.chunkCount).fill(undefined)]),
  );

  const load = (part: string, index: number, held: (CachedBlock | undefined)[]): Uint8Array => {
    try {
      if (index >= held.length)
        throw errors.corruption(`segment [${segmentName(segment)}] has no chunk [${index}] in part [${part}]`);
      const bytes = readChunk(store(), segment, part, index);
      const block: CachedBlock = {
        bytes,
        overheadBytes: BLOCK_OVERHEAD_BYTES,
        isUsed: false,
        drop: () => (held[index] = undefined),
      };
      held[index] = block;
      cache.add(block);
      return bytes;
    } catch (error) {
      onDamage(error);
      throw error;
    }
  };
  const decoded = decodedRuns(cache.decoded);
  return {
    id: segmentName(segment),
    decodedRuns: decoded.runs,
    madeBy,
    byteSize: parts.reduce((sum, part) => sum + part.byteSize, 0),
    parts: parts.map((part) => part.name),
    manifest: content,
    chunkCount: (part) => blocks.get(part)?.length ?? 0,
    chunk(part, index) {
      const held = blocks.get(part) ?? [];
      const block = held[index];
      if (block === undefined) return load(part, index, held);
      block.isUsed = true;
      return block.bytes;
    },
    release() {
      for (const held of blocks.values()) for (const block of held) if (block) cache.remove(block);
      decoded.release();
      onRelease();
    },
  };
}

/** Names of the parts of a segment and numbers of their chunks, from its encoded manifest. */
export function partsOfManifest(
  manifest: Uint8Array,
): readonly { readonly name: string; readonly chunkCount: number }[] {
  return decodeManifest(manifest).parts;
}

/** Whether an encoded manifest has this root hash. */
export const hasRootHash = (manifest: Uint8Array, rootHash: Uint8Array): boolean =>
  Buffer.compare(hashOf(manifest), rootHash) === 0;

/** Keys of all data of a segment, for its removal. */
export async function keysOfSegment(store: KeyValueStore, segment: number): Promise<Uint8Array[]> {
  const content = store.get(manifestKey(segment));
  if (content === undefined) return scanKeys(store, segment);
  const { parts } = decodeManifest(
    verifyRecord(manifestKey(segment), content, `manifest of segment [${segmentName(segment)}]`),
  );
  const keys = parts.flatMap((part) =>
    Array.from({ length: part.chunkCount }, (_, i) => chunkKey(segment, part.name, i)),
  );
  return [...keys, manifestKey(segment)];
}

async function scanKeys(store: KeyValueStore, segment: number): Promise<Uint8Array[]> {
  const keys: Uint8Array[] = [];
  for await (const [key] of store.entries(segmentRange(segment))) keys.push(key);
  return keys;
}
