import { ByteWriter, encodePatched, patchedBytesMax } from '@shoal/codec';
import { POSTINGS_BLOCK_DOCS, type PostingsCursor, type TermsLayout } from '../segment-reader.js';
import { ChunkBuilder } from '../storage/chunk-cursor.js';
import type { PartWriter, SegmentOutput, StreamLocation } from '../storage/part-writer.js';
import { impactGatherer, impactPairs, noteImpact, takeImpacts, writeImpacts } from './impacts.js';

/** Blocks whose skip entries are read together. */
export const SKIP_GROUP_BLOCKS = 32;
/** Positions in one packed block. */
export const POSITIONS_BLOCK = 128;
/** Bytes of small postings that one block of terms may gather. */
const SMALL_BYTES_MAX = 48_000;

/**
 * How a finished term's postings are kept: not at all, in its block of terms, with the small ones of the block, in
 * blocks of their own.
 */
export const PLACE = { none: 0, single: 1, small: 2, large: 3 } as const;

/**
 * Writes the postings of one field, a term after the other. Lists of fewer than POSTINGS_BLOCK_DOCS documents are
 * gathered and written with their block of terms (`flushSmall`); longer ones stream out in blocks, with skip entries
 * behind.
 */
export class PostingsWriter {
  docFreq = 0;
  totalFreq = 0;
  /**
   * Of the term ended last: the document of a single posting, the bytes of a small list, the skip data of a large one.
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
  /** Position differences of the term that are not written yet. */
  #positions = new Int32Array(1024);
  #positionCount = 0;
  /** Position differences of finished small terms. */
  #smallPositions = new Int32Array(4096);
  #smallPositionCount = 0;
  readonly #small = new Uint8Array(SMALL_BYTES_MAX + 2 * patchedBytesMax(POSTINGS_BLOCK_DOCS));
  #smallBytes = 0;
  // Of a large list:
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

  /** Small postings gathered so far fill a block. */
  get isSmallFull(): boolean {
    return this.#smallBytes >= SMALL_BYTES_MAX;
  }

  /** Adds a document, larger than those before; its positions follow. */
  add(doc: number, freq: number): void {
    if (this.#pending === POSTINGS_BLOCK_DOCS) this.#flushBlock();
    this.#docs[this.#pending] = doc;
    this.#freqs[this.#pending++] = freq;
    this.docFreq++;
    this.totalFreq += freq;
  }

  /** Adds the documents of the cursor's block, `base` being added to their numbers, with all their positions. */
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
    if (this.#positions.length < end) this.#positions = grown(this.#positions, end);
    cursor.positionSteps(count, this.#positions, this.#positionCount);
    this.#positionCount = end;
  }

  /** Adds positions of the document added last, ascending, as they stand in `positions`. */
  addPositions(positions: Int32Array, count: number): void {
    if (this.#positions.length < this.#positionCount + count)
      this.#positions = grown(this.#positions, this.#positionCount + count);
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

  /** Ends the term; returns one of PLACE. */
  end(): number {
    const place = this.#place();
    this.#pending = 0;
    this.#positionCount = 0;
    this.#isLarge = false;
    this.#lastDoc = -1;
    return place;
  }

  /** Starts the next term. */
  begin(): void {
    this.docFreq = 0;
    this.totalFreq = 0;
  }

  /** Writes the gathered small lists; returns where they and their positions start. */
  flushSmall(): { readonly postings: number; readonly positions: number } {
    const postings = this.#postings.append(this.#small, 0, this.#smallBytes);
    const positions = this.#positionsPart.end;
    this.#writePositions(this.#smallPositions, this.#smallPositionCount, true);
    this.#smallBytes = 0;
    this.#smallPositionCount = 0;
    return { postings, positions };
  }

  #place(): number {
    if (this.docFreq === 0) return PLACE.none;
    if (this.docFreq >= POSTINGS_BLOCK_DOCS) {
      this.head = this.#endLarge();
      return PLACE.large;
    }
    if (this.#positionCount > 0) this.#keepSmallPositions();
    this.singleDoc = this.#docs[0]!;
    if (this.docFreq === 1) return PLACE.single;
    const start = this.#smallBytes;
    this.#smallBytes = this.#encodeBlock(this.#small, start);
    this.smallListBytes = this.#smallBytes - start;
    return PLACE.small;
  }

  #keepSmallPositions(): void {
    const need = this.#smallPositionCount + this.#positionCount;
    if (this.#smallPositions.length < need) this.#smallPositions = grown(this.#smallPositions, need);
    for (let i = 0, at = this.#smallPositionCount; at < need; i++, at++) this.#smallPositions[at] = this.#positions[i]!;
    this.#smallPositionCount = need;
  }

  /** Pending documents and, unless all are 1, frequencies; a full block of a large list always has them. */
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
      noteImpact(this.#gatherer, this.#freqs[i]!, this.#norms === null ? 1 : this.#norms[this.#docs[i]!]!);
    takeImpacts(this.#gatherer, this.#impacts);
    for (let i = 0; i < this.#impacts.count; i++)
      noteImpact(this.#global, this.#impacts.freqs[i]!, this.#impacts.norms[i]!);
    writeImpacts(this.#impacts, this.#group);
  }

  /** Positions of the block's documents, and how far their stream has come when the next block starts. */
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

  /** Writes full blocks of positions, and a last shorter one when `all`; returns how many positions. */
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
 * 32 entries of at most 256 impacts of 10 bytes would be more than a chunk; norms and frequencies of one block allow
 * 128 pairs of 6.
 */
const CHUNK_GROUP_BYTES = 65_000;

function grown(array: Int32Array, need: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(need, array.length * 2));
  larger.set(array);
  return larger;
}
