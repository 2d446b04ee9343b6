import { ByteWriter, encodePatched, packBits, patchedBytesMax } from '@shoal/codec';
import { WINDOW_DOCS } from '../segment-reader.js';
import type { PartWriter } from '../storage/part-writer.js';
import { encodeInt64, encodeNumbers, type NumberEncoder } from '../values/encode-number-block.js';
import { BLOCK_VALUES } from '../values/number-block.kernel.js';
import { PRESENCE, type WindowEntry, windowCount, windowSize, writeDirectory } from './window-directory.js';

/** Limit of the documents that a window lists, in 12 bits each; if more have a value, it has a bitmap of 512 bytes. */
export const LIST_ROWS_MAX = 340;
/** Bits of a listed document. */
export const LIST_BITS = 12;
/** Bytes of the bitmap of a window. */
export const BITMAP_BYTES = WINDOW_DOCS / 8;
/** Bits of the bitmap for each rank, the number of set bits before them; the ranks follow the bitmap. */
export const RANK_BITS = 256;
/** Number of documents whose counts are one patched block. */
export const COUNT_GROUP = 128;
/** Number of such groups in a window. */
export const COUNT_GROUPS = WINDOW_DOCS / COUNT_GROUP;

/** Encodes one run of values of a plane to `encoder.out`; returns the number of bytes. */
export type PlaneEncoder = (encoder: NumberEncoder, values: Float64Array, count: number) => number;

/** Figures of a column for the segment's table of fields. */
export interface ColumnSummary {
  readonly docsWithField: number;
  readonly valueCount: number;
  readonly isSingleValued: boolean;
  readonly isExact: boolean;
  readonly min: number;
  readonly max: number;
}

/**
 * Writes a column window by window. Each of `planes` encodes one number of every value: one plane for numbers and
 * ordinals, two for points. Memory: the values of one window.
 */
export class WindowWriter {
  readonly #part: PartWriter;
  readonly #maxDoc: number;
  readonly #encoder: NumberEncoder;
  readonly #planes: readonly PlaneEncoder[];
  readonly #values: Float64Array[];
  readonly #counts = new Int32Array(WINDOW_DOCS);
  readonly #bigs = new Map<number, bigint>();
  readonly #entries: WindowEntry[] = [];
  #valueCount = 0;
  #rowCount = 0;
  #isMulti = false;
  #docsWithField = 0;
  #allValues = 0;
  #isSingleValued = true;
  #isExact = true;
  #min = Infinity;
  #max = -Infinity;
  readonly #hasBounds: boolean;

  constructor(
    part: PartWriter,
    maxDoc: number,
    encoder: NumberEncoder,
    planes: readonly PlaneEncoder[],
    hasBounds: boolean,
  ) {
    this.#part = part;
    this.#maxDoc = maxDoc;
    this.#encoder = encoder;
    this.#planes = planes;
    this.#hasBounds = hasBounds;
    this.#values = planes.map(() => new Float64Array(WINDOW_DOCS));
  }

  /** Directory entries of the windows written so far. */
  get entries(): readonly WindowEntry[] {
    return this.#entries;
  }

  /** Adds a value of `doc`, with `second` for the second plane; documents ascend. */
  add(doc: number, value: number, second = 0): void {
    const window = Math.floor(doc / WINDOW_DOCS);
    while (this.#entries.length < window) this.#flushWindow();
    const at = this.#valueCount++;
    if (at === this.#values[0]!.length) this.#grow();
    this.#values[0]![at] = value;
    if (this.#values.length > 1) this.#values[1]![at] = second;
    const offset = doc % WINDOW_DOCS;
    if (this.#counts[offset]!++ === 0) this.#rowCount++;
    else this.#isMulti = true;
  }

  /** Adds one value for each of the `count` documents from `doc` on. Only for columns with one plane. */
  addRun(doc: number, values: Float64Array | Int32Array, count: number): void {
    for (let from = 0; from < count; ) {
      const first = doc + from;
      const window = Math.floor(first / WINDOW_DOCS);
      while (this.#entries.length < window) this.#flushWindow();
      const offset = first % WINDOW_DOCS;
      const take = Math.min(count - from, WINDOW_DOCS - offset);
      while (this.#valueCount + take > this.#values[0]!.length) this.#grow();
      this.#values[0]!.set(values.subarray(from, from + take), this.#valueCount);
      this.#counts.fill(1, offset, offset + take);
      this.#valueCount += take;
      this.#rowCount += take;
      from += take;
    }
  }

  /** Adds a value of `doc` that is an integer beyond 2^53. */
  addBig(doc: number, value: bigint): void {
    this.add(doc, Number(value));
    this.#bigs.set(this.#valueCount - 1, value);
    this.#isExact = false;
  }

  /** Writes the remaining windows; returns the figures of the column and the encoded directory. */
  finish(): { readonly summary: ColumnSummary; readonly directory: Uint8Array } {
    while (this.#entries.length < windowCount(this.#maxDoc)) this.#flushWindow();
    const out = new ByteWriter();
    writeDirectory(this.#entries, this.#hasBounds, out);
    const summary = {
      docsWithField: this.#docsWithField,
      valueCount: this.#allValues,
      isSingleValued: this.#isSingleValued,
      isExact: this.#isExact,
      min: this.#min,
      max: this.#max,
    };
    return { summary, directory: out.finish() };
  }

  #grow(): void {
    for (let p = 0; p < this.#values.length; p++) {
      const grown = new Float64Array(this.#values[p]!.length * 2);
      grown.set(this.#values[p]!);
      this.#values[p] = grown;
    }
  }

  #mode(size: number): number {
    if (this.#rowCount === 0) return PRESENCE.none;
    if (this.#isMulti) return PRESENCE.counts;
    if (this.#rowCount === size) return PRESENCE.full;
    return this.#rowCount <= LIST_ROWS_MAX ? PRESENCE.list : PRESENCE.bitmap;
  }

  #flushWindow(): void {
    const size = windowSize(this.#entries.length, this.#maxDoc);
    const mode = this.#mode(size);
    const presence = mode > PRESENCE.full ? this.#writePresence(mode, size) : 0;
    const blocks = this.#writeValues();
    const { min, max } = this.#hasBounds
      ? boundsOf(this.#values[0]!, this.#valueCount)
      : { min: Number.NaN, max: Number.NaN };
    this.#entries.push({ mode, rowCount: this.#rowCount, valueCount: this.#valueCount, presence, blocks, min, max });
    this.#summarize(min, max);
    this.#counts.fill(0);
    this.#bigs.clear();
    this.#valueCount = 0;
    this.#rowCount = 0;
    this.#isMulti = false;
  }

  #summarize(min: number, max: number): void {
    this.#docsWithField += this.#rowCount;
    this.#allValues += this.#valueCount;
    if (this.#isMulti) this.#isSingleValued = false;
    if (min < this.#min) this.#min = min;
    if (max > this.#max) this.#max = max;
  }

  #writePresence(mode: number, size: number): number {
    if (mode === PRESENCE.counts) return this.#writeCounts();
    if (mode === PRESENCE.bitmap) return this.#writeBitmap(size);
    const rows = new Int32Array(this.#rowCount);
    let count = 0;
    for (let i = 0; i < size; i++) if (this.#counts[i] !== 0) rows[count++] = i;
    const { out } = this.#encoder;
    return this.#part.append(out, 0, packBits(rows, 0, count, LIST_BITS, out, 0));
  }

  /** Writes the bitmap, then the rank (u16) at each RANK_BITS. */
  #writeBitmap(size: number): number {
    const bitmap = new Uint8Array(BITMAP_BYTES + 2 * (WINDOW_DOCS / RANK_BITS));
    let rank = 0;
    for (let i = 0; i < size; i++) {
      if (i % RANK_BITS === 0) new DataView(bitmap.buffer).setUint16(BITMAP_BYTES + 2 * (i / RANK_BITS), rank, true);
      if (this.#counts[i] === 0) continue;
      bitmap[i >>> 3]! |= 1 << (i & 7);
      rank++;
    }
    return this.#part.append(bitmap, 0, bitmap.length);
  }

  /**
   * Writes, for each group of documents, the offset of its counts (u16) and the values before it (u32); then the
   * counts.
   */
  #writeCounts(): number {
    const table = COUNT_GROUPS * 6;
    const bytes = new Uint8Array(table + COUNT_GROUPS * patchedBytesMax(COUNT_GROUP));
    const view = new DataView(bytes.buffer);
    const histogram = new Int32Array(33);
    let at = table;
    let values = 0;
    for (let g = 0; g < COUNT_GROUPS; g++) {
      view.setUint16(6 * g, at, true);
      view.setUint32(6 * g + 2, values, true);
      for (let i = 0; i < COUNT_GROUP; i++) values += this.#counts[g * COUNT_GROUP + i]!;
      at = encodePatched(this.#counts, g * COUNT_GROUP, COUNT_GROUP, bytes, at, histogram);
    }
    return this.#part.append(bytes, 0, at);
  }

  #writeValues(): number[] {
    const blocks: number[] = [];
    for (let from = 0; from < this.#valueCount; from += BLOCK_VALUES) {
      const count = Math.min(BLOCK_VALUES, this.#valueCount - from);
      for (let p = 0; p < this.#planes.length; p++) {
        const bytes = this.#encodeRun(p, from, count);
        blocks.push(this.#part.append(this.#encoder.out, 0, bytes));
      }
    }
    return blocks;
  }

  #encodeRun(plane: number, from: number, count: number): number {
    const values = this.#values[plane]!;
    if (this.#bigs.size > 0) {
      const exact = Array.from({ length: count }, (_, i) => this.#bigs.get(from + i) ?? BigInt(values[from + i]!));
      return encodeInt64(this.#encoder, exact);
    }
    return this.#planes[plane]!(this.#encoder, values.subarray(from, from + count), count);
  }
}

function boundsOf(values: Float64Array, count: number): { min: number; max: number } {
  if (count === 0) return { min: Number.NaN, max: Number.NaN };
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}

/** Encoder of the plane of number and ordinal columns. */
export const numberPlane: PlaneEncoder = encodeNumbers;
