import { type BitSet, bitSetOver, cloneBitSet, fullBitSet, type SegmentReader } from '@shoal/segments';
import type { SegmentBytes } from '@shoal/store';
import { createIndexBuffer, type IndexBuffer } from '../buffer/index-buffer.js';
import { LateDeletes } from './late-deletes.js';
import { LiveVersions } from './live-versions.js';

/** Returns the first document of the block that a root ends: its nested documents precede the root. */
export function firstDocOf(roots: BitSet | null, root: number): number {
  return roots === null ? root : root === 0 ? 0 : roots.previous(root - 1) + 1;
}

function countBoth(roots: BitSet, live: BitSet): number {
  let count = 0;
  for (let doc = roots.next(0); doc < roots.size; doc = roots.next(doc + 1)) if (live.get(doc)) count++;
  return count;
}

interface SealedOptions {
  readonly segment: number;
  readonly reader: SegmentReader;
  readonly bytes: SegmentBytes;
  readonly rootHash: Uint8Array;
  readonly live: Int32Array | null;
}

/**
 * A sealed segment with its deletes. `live` is what the next refresh shows; it is copied before the first change after
 * a searcher has taken it. Lives as long as the engine or a searcher holds it.
 */
export class SealedPart {
  readonly kind = 'sealed';
  readonly segment: number;
  readonly reader: SegmentReader;
  readonly rootHash: Uint8Array;
  readonly maxDoc: number;
  /** Number of root documents, deleted ones included. */
  readonly rootCount: number;
  live: BitSet | null;
  liveRoots: number;
  deletedDocs: number;
  /** Counter of the changes of `live`. */
  changes = 0;
  /** `changes` at the newest commit. */
  committedChanges = 0;
  isCommitted = false;
  isMerging = false;
  holders = 1;
  readonly late = new LateDeletes();
  readonly #bytes: SegmentBytes;
  #isLiveShared = false;

  constructor({ segment, reader, bytes, rootHash, live }: SealedOptions) {
    this.segment = segment;
    this.reader = reader;
    this.rootHash = rootHash;
    this.maxDoc = reader.maxDoc;
    this.#bytes = bytes;
    this.rootCount = reader.roots?.cardinality() ?? reader.maxDoc;
    this.live = live === null ? null : bitSetOver(live, reader.maxDoc);
    this.liveRoots =
      this.live === null ? this.rootCount : reader.roots ? countBoth(reader.roots, this.live) : this.live.cardinality();
    this.deletedDocs = this.live === null ? 0 : this.maxDoc - this.live.cardinality();
  }

  get byteSize(): number {
    return this.reader.byteSize;
  }

  isLive(doc: number): boolean {
    return this.live === null || this.live.get(doc);
  }

  /** Deletes a root with its nested documents, because of operation `by`. */
  delete(root: number, by: number): void {
    if (!this.isLive(root)) return;
    if (by >= 0) this.late.add(root, by);
    const live = this.#writable();
    const first = firstDocOf(this.reader.roots, root);
    for (let doc = first; doc <= root; doc++) live.clear(doc);
    this.liveRoots--;
    this.deletedDocs += root - first + 1;
    this.changes++;
  }

  #writable(): BitSet {
    if (this.live === null) this.live = fullBitSet(this.maxDoc);
    else if (this.#isLiveShared) this.live = cloneBitSet(this.live);
    this.#isLiveShared = false;
    return this.live;
  }

  /**
   * Returns the live documents of this moment, for a searcher, merge or commit; null if none is deleted. Later deletes
   * copy the bits first.
   */
  shareLive(): BitSet | null {
    this.#isLiveShared = true;
    return this.live;
  }

  /**
   * Returns the live documents as of operation `maxSeqNo`; documents that later operations deleted are live in it.
   * `isEarlier` is false if there are none of those.
   */
  liveAsOf(maxSeqNo: number): { readonly live: BitSet | null; readonly isEarlier: boolean } {
    const roots = this.live === null ? [] : this.late.above(maxSeqNo);
    if (roots.length === 0) return { live: this.shareLive(), isEarlier: false };
    const live = cloneBitSet(this.live!);
    for (const root of roots) for (let doc = firstDocOf(this.reader.roots, root); doc <= root; doc++) live.set(doc);
    return { live, isEarlier: true };
  }

  /**
   * Returns how many deleted documents a merge may drop. A rollback may bring back documents that operations above
   * `maxSeqNo` deleted, so these must stay.
   */
  purgeableDocs(maxSeqNo: number): number {
    const { roots } = this.reader;
    return this.late
      .above(maxSeqNo)
      .reduce((docs, root) => docs - (root - firstDocOf(roots, root) + 1), this.deletedDocs);
  }

  /** Returns the memory of cached bytes. */
  release(): void {
    this.#bytes.release();
  }
}

/** The in-memory part that takes writes, or one that is being sealed. */
export class BufferPart {
  readonly kind = 'buffer';
  readonly id: string;
  readonly buffer: IndexBuffer;
  readonly versions = new LiveVersions();
  /** First operation that is not in an older part. */
  readonly firstSeqNo: number;
  /** Whether documents have ids that `versions` lacks: generated ids are not listed there. */
  hasUnlistedIds = false;
  /** Whether the buffer is being written to a segment; later operations go to another buffer. */
  isSealing = false;
  liveRoots = 0;
  rootCount = 0;
  deletedDocs = 0;
  changes = 0;
  readonly late = new LateDeletes();
  #deleted: Int32Array = new Int32Array(0);
  #snapshot: SegmentReader | null = null;

  constructor(id: string, firstSeqNo: number) {
    this.id = id;
    this.firstSeqNo = firstSeqNo;
    this.buffer = createIndexBuffer(id);
  }

  get maxDoc(): number {
    return this.buffer.docCount;
  }

  get byteSize(): number {
    return this.buffer.memoryBytes;
  }

  /** Returns a reader of all documents so far. */
  get reader(): SegmentReader {
    if (this.#snapshot === null || this.#snapshot.maxDoc !== this.buffer.docCount)
      this.#snapshot = this.buffer.snapshot();
    return this.#snapshot;
  }

  get memoryBytes(): number {
    return this.buffer.memoryBytes + this.versions.memoryBytes;
  }

  isLive(doc: number): boolean {
    const word = this.#deleted[doc >>> 5];
    return word === undefined || (word & (1 << (doc & 31))) === 0;
  }

  /** Deletes a root with its nested documents, which begin at `first`, because of operation `by`. */
  deleteRange(first: number, root: number, by: number): void {
    if (!this.isLive(root)) return;
    if (this.isSealing) this.late.add(root, by);
    this.#reserve(root);
    for (let doc = first; doc <= root; doc++) this.#deleted[doc >>> 5]! |= 1 << (doc & 31);
    this.liveRoots--;
    this.deletedDocs += root - first + 1;
    this.changes++;
  }

  #reserve(doc: number): void {
    const words = (doc >>> 5) + 1;
    if (words <= this.#deleted.length) return;
    const grown = new Int32Array(Math.max(words, this.#deleted.length * 2, 64));
    grown.set(this.#deleted);
    this.#deleted = grown;
  }

  /** Returns the live documents among the first `maxDoc`; null when none of the part is deleted. */
  shareLive(maxDoc = this.maxDoc): BitSet | null {
    if (this.deletedDocs === 0) return null;
    const live = fullBitSet(maxDoc);
    const shared = Math.min(live.words.length, this.#deleted.length);
    for (let i = 0; i < shared; i++) live.words[i]! &= ~this.#deleted[i]!;
    return live;
  }
}

/** A part of a shard: documents of one buffer or segment. */
export type Part = SealedPart | BufferPart;
