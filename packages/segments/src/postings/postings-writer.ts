import { ByteWriter, encodePatched, patchedBytesMax } from '@shoal/codec';
import { POSTINGS_BLOCK_DOCS, type PostingsCursor, type TermsLayout } from '../segment-reader.js';
import { ChunkBuilder } from '../storage/chunk-cursor.js';
import type { PartWriter, SegmentOutput, StreamLocation } from '../storage/part-writer.js';
import { impactGatherer, impactPairs, addImpact, takeImpacts, writeImpacts } from './impacts.js';

/** Number of blocks whose skip entries are one group, which is read as a whole. */
export const SKIP_GROUP_BLOCKS = 32;
/** Number of positions in one packed block. */
export const POSITIONS_BLOCK = 128;
/** Limit of the bytes of the small posting lists of one block of terms. */
const SMALL_BYTES_MAX = 48_000;

/**
 * Kinds of posting list: none; a single document, stored in the dictionary; a small list, stored with the other small
 * lists of its block of terms; a large list, stored in blocks of its own.
 */
export const POSTINGS_KIND = { none: 0, single: 1, small: 2, large: 3 } as const;

/**
 * Writes the postings of one field, term by term. Lists of fewer than POSTINGS_BLOCK_DOCS documents are collected and
 * written with their block of terms (`flushSmall`). Longer lists are written block by block, and their skip entries
 * separately.
 */
export class PostingsWriter {
  docFreq = 0;
  totalFreq = 0;
  /**
   * Result of the last `end`: the document of a single posting, the bytes of a small list, the skip data of a large
   * list.
   */
  singleDoc = 0;
  smallListBytes = 0;
  head: StreamLocation = { address: 0, length: 0 };
  readonly #layout: TermsLayout;
  readonly #norms: Uint8Array | null;
  readonly #postings: PartWriter;
  readonly #positionsPart: PartWriter;
  readonly #skips: PartWriter;
  readonly #docs = new Int32Array(POSTINGS_BLOCK_DOCS);
  readonly #freqs = new Int32Array(POSTINGS_BLOCK_DOCS);
  readonly #deltas = new Int32Array(POSTINGS_BLOCK_DOCS);
  readonly #histogram = new Int32Array(33);
  readonly #block = new Uint8Array(2 * patchedBytesMax(POSTINGS_BLOCK_DOCS));
  #pending = 0;
  /** Position differences of the current term that are not written yet. */
  #positions = new Int32Array(1024);
  #positionCount = 0;
  /** Position differences of the small lists that are finished. */
  #smallPositions = new Int32Array(4096);
  #smallPositionCount = 0;
  readonly #small = new Uint8Array(SMALL_BYTES_MAX + 2 * patchedBytesMax(POSTINGS_BLOCK_DOCS));
  #smallBytes = 0;
  // State of a large list that is being written:
  #lastDoc = -1;
  #positionsBefore = 0;
  #positionsEnd = 0;
  readonly #group = new ChunkBuilder(CHUNK_GROUP_BYTES);
  #groupBlocks = 0;
  #head = new ByteWriter();
  #headDoc = 0;
  #headAddress = 0;
  #isLarge = false;
  readonly #gatherer = impactGatherer();
  readonly #global = impactGatherer();
  readonly #impacts = impactPairs();

  constructor(output: SegmentOutput, layout: TermsLayout, norms: Uint8Array | null) {
    this.#layout = layout;
    this.#norms = norms;
    this.#postings = output.part('postings');
    this.#positionsPart = output.part('positions');
    this.#skips = output.part('skips');
  }

  /** Whether the collected small lists have reached their limit of bytes. */
  get isSmallFull(): boolean {
    return this.#smallBytes >= SMALL_BYTES_MAX;
  }

  /** Adds a document, greater than the one before; `addPositions` adds its positions. */
  add(doc: number, freq: number): void {
    if (this.#pending === POSTINGS_BLOCK_DOCS) this.#flushBlock();
    this.#docs[this.#pending] = doc;
    this.#freqs[this.#pending++] = freq;
    this.docFreq++;
    this.totalFreq += freq;
  }

  /** Adds the documents of a cursor's block with all their positions; `base` is added to the document numbers. */
  addBlock(cursor: PostingsCursor, base: number): void {
    const { docs, size } = cursor;
    const freqs = this.#layout.freqs ? cursor.freqs : null;
    for (let from = 0; from < size; ) {
      if (this.#pending === POSTINGS_BLOCK_DOCS) this.#flushBlock();
      const to = Math.min(size, from + POSTINGS_BLOCK_DOCS - this.#pending);
      const total = this.#addDocs(docs, freqs, from, to, base);
      if (this.#layout.positions) this.#addSteps(cursor, total);
      from = to;
    }
  }

  #addDocs(docs: Int32Array, freqs: Int32Array | null, from: number, to: number, base: number): number {
    const target = this.#docs;
    const targetFreqs = this.#freqs;
    let at = this.#pending;
    let total = 0;
    for (let i = from; i < to; i++) {
      const freq = freqs === null ? 1 : freqs[i]!;
      target[at] = docs[i]! + base;
      targetFreqs[at++] = freq;
      total += freq;
    }
    this.#pending = at;
    this.docFreq += to - from;
    this.totalFreq += total;
    return total;
  }

  #addSteps(cursor: PostingsCursor, count: number): void {
    const end = this.#positionCount + count;
    if (this.#positions.length < end) this.#positions = growArray(this.#positions, end);
    cursor.positionSteps(count, this.#positions, this.#positionCount);
    this.#positionCount = end;
  }

  /** Adds positions, ascending, of the document that was added last. */
  addPositions(positions: Int32Array, count: number): void {
    if (this.#positions.length < this.#positionCount + count)
      this.#positions = growArray(this.#positions, this.#positionCount + count);
    const target = this.#positions;
    let at = this.#positionCount;
    let last = 0;
    for (let i = 0; i < count; i++) {
      const position = positions[i]!;
      target[at++] = position - last;
      last = position;
    }
    this.#positionCount = at;
  }

  /** Ends the term; returns one of POSTINGS_KIND. */
  end(): number {
    const kind = this.#endList();
    this.#pending = 0;
    this.#positionCount = 0;
    this.#isLarge = false;
    this.#lastDoc = -1;
    return kind;
  }

  /** Starts the next term. */
  begin(): void {
    this.docFreq = 0;
    this.totalFreq = 0;
  }

  /** Writes the collected small lists; returns the addresses of the lists and of their positions. */
  flushSmall(): { readonly postings: number; readonly positions: number } {
    const postings = this.#postings.append(this.#small, 0, this.#smallBytes);
    const positions = this.#positionsPart.end;
    this.#writePositions(this.#smallPositions, this.#smallPositionCount, true);
    this.#smallBytes = 0;
    this.#smallPositionCount = 0;
    return { postings, positions };
  }

  #endList(): number {
    if (this.docFreq === 0) return POSTINGS_KIND.none;
    if (this.docFreq >= POSTINGS_BLOCK_DOCS) {
      this.head = this.#endLarge();
      return POSTINGS_KIND.large;
    }
    if (this.#positionCount > 0) this.#keepSmallPositions();
    this.singleDoc = this.#docs[0]!;
    if (this.docFreq === 1) return POSTINGS_KIND.single;
    const start = this.#smallBytes;
    this.#smallBytes = this.#encodeBlock(this.#small, start);
    this.smallListBytes = this.#smallBytes - start;
    return POSTINGS_KIND.small;
  }

  #keepSmallPositions(): void {
    const need = this.#smallPositionCount + this.#positionCount;
    if (this.#smallPositions.length < need) this.#smallPositions = growArray(this.#smallPositions, need);
    for (let i = 0, at = this.#smallPositionCount; at < need; i++, at++) this.#smallPositions[at] = this.#positions[i]!;
    this.#smallPositionCount = need;
  }

  /** Encodes the pending documents, and their frequencies unless all are 1; a full block always has frequencies. */
  #encodeBlock(out: Uint8Array, start: number): number {
    const count = this.#pending;
    let last = this.#lastDoc;
    for (let i = 0; i < count; i++) {
      const doc = this.#docs[i]!;
      this.#deltas[i] = doc - last - 1;
      last = doc;
    }
    const at = encodePatched(this.#deltas, 0, count, out, start, this.#histogram);
    if (!this.#layout.freqs || (!this.#isLarge && this.totalFreq === this.docFreq)) return at;
    for (let i = 0; i < count; i++) this.#deltas[i] = this.#freqs[i]! - 1;
    return encodePatched(this.#deltas, 0, count, out, at, this.#histogram);
  }

  #beginLarge(): void {
    this.#isLarge = true;
    this.#lastDoc = -1;
    this.#headDoc = -1;
    this.#headAddress = 0;
    this.#groupBlocks = 0;
    this.#positionsBefore = 0;
    this.#positionsEnd = this.#positionsPart.end;
    this.#head = new ByteWriter(64);
  }

  #flushBlock(): void {
    if (!this.#isLarge) this.#beginLarge();
    const bytes = this.#encodeBlock(this.#block, 0);
    const address = this.#postings.append(this.#block, 0, bytes);
    if (this.#groupBlocks === 0) this.#beginGroup(address);
    this.#writeSkipEntry(bytes);
    this.#lastDoc = this.#docs[this.#pending - 1]!;
    this.#pending = 0;
    if (++this.#groupBlocks === SKIP_GROUP_BLOCKS) this.#endGroup();
  }

  #beginGroup(address: number): void {
    const group = this.#group;
    group.at = 0;
    group.varint(address);
    if (!this.#layout.positions) return;
    group.varint(this.#positionsBefore);
    group.varint(this.#positionsEnd);
  }

  #writeSkipEntry(bytes: number): void {
    const group = this.#group;
    const last = this.#docs[this.#pending - 1]!;
    group.varint(last - this.#lastDoc);
    group.varint(bytes);
    if (this.#layout.freqs) this.#writeImpacts();
    if (this.#layout.positions) this.#writePositionSkip();
  }

  #writeImpacts(): void {
    for (let i = 0; i < this.#pending; i++)
      addImpact(this.#gatherer, this.#freqs[i]!, this.#norms === null ? 1 : this.#norms[this.#docs[i]!]!);
    takeImpacts(this.#gatherer, this.#impacts);
    for (let i = 0; i < this.#impacts.count; i++)
      addImpact(this.#global, this.#impacts.freqs[i]!, this.#impacts.norms[i]!);
    writeImpacts(this.#impacts, this.#group);
  }

  /** Writes full blocks of positions, and the skip entry that says where the positions of the next block start. */
  #writePositionSkip(): void {
    let positions = 0;
    for (let i = 0; i < this.#pending; i++) positions += this.#freqs[i]!;
    const written = this.#writePositions(this.#positions, this.#positionCount, false);
    this.#positions.copyWithin(0, written, this.#positionCount);
    this.#positionCount -= written;
    this.#group.varint(positions);
    this.#group.varint(this.#positionsPart.end - this.#positionsEnd);
    this.#positionsBefore += positions;
    this.#positionsEnd = this.#positionsPart.end;
  }

  #endGroup(): void {
    const address = this.#skips.append(this.#group.bytes, 0, this.#group.at);
    this.#head.varint(this.#lastDoc - this.#headDoc);
    this.#head.varint(address - this.#headAddress);
    this.#headDoc = this.#lastDoc;
    this.#headAddress = address;
    this.#groupBlocks = 0;
  }

  #endLarge(): StreamLocation {
    this.#flushBlock();
    if (this.#groupBlocks > 0) this.#endGroup();
    this.#writePositions(this.#positions, this.#positionCount, true);
    if (this.#layout.freqs) {
      takeImpacts(this.#global, this.#impacts);
      writeImpacts(this.#impacts, this.#head);
    }
    return this.#skips.appendStream(this.#head.finish());
  }

  /** Writes full blocks of positions, and with `all` a shorter last one; returns the number of positions written. */
  #writePositions(positions: Int32Array, count: number, all: boolean): number {
    let from = 0;
    while (count - from >= POSITIONS_BLOCK || (all && from < count)) {
      const take = Math.min(POSITIONS_BLOCK, count - from);
      const bytes = encodePatched(positions, from, take, this.#block, 0, this.#histogram);
      this.#positionsPart.append(this.#block, 0, bytes);
      from += take;
    }
    return from;
  }
}

/**
 * Buffer for the skip entries of a group. 32 entries with 256 impacts of 10 bytes would exceed a chunk, but a block has
 * at most 128 documents, hence at most 128 impacts of 6 bytes.
 */
const CHUNK_GROUP_BYTES = 65_000;

function growArray(array: Int32Array, need: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(need, array.length * 2));
  larger.set(array);
  return larger;
}
