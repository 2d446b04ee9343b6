import { decodePatched, packedAt, popCount, unpackBits } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { CHUNK_BYTES_MAX, NO_MORE_DOCS, WINDOW_DOCS } from '../segment-reader.js';
import type { PartReader } from '../storage/part-reader.js';
import { PRESENCE, type WindowDirectory, windowSize } from './window-directory.js';
import { BITMAP_BYTES, COUNT_GROUP, COUNT_GROUPS, LIST_BITS, RANK_BITS } from './window-writer.js';

const wordAt = (bytes: Uint8Array, at: number): number =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);

/** From this number of documents of a window on, decoding the whole window is cheaper than looking up each document. */
export const DENSE_DOCS = 400;

/** Finds which documents of a column have values, and the indexes of these values in their window. */
export class WindowPresence {
  readonly directory: WindowDirectory;
  readonly #part: PartReader;
  readonly #maxDoc: number;
  /** Index of the first value of each document of window `#startsOf`, and the number of values at the end. */
  #starts: Int32Array | null = null;
  #startsOf = -1;
  /** As `#starts`, for the group of COUNT_GROUP documents `#groupOf`. */
  #group: Int32Array | null = null;
  #groupOf = -1;
  /** Chunk with the presence of the window that was used last, `#chunkOf`. */
  #cachedChunk: Uint8Array | null = null;
  #chunkOf = -1;
  /** Result of `locate`: index of the first value and index after the last. */
  from = 0;
  to = 0;

  constructor(directory: WindowDirectory, part: PartReader, maxDoc: number) {
    this.directory = directory;
    this.#part = part;
    this.#maxDoc = maxDoc;
  }

  /** Sets `from` and `to` to the values of document `offset` of window `w`; returns false if it has none. */
  locate(w: number, offset: number): boolean {
    switch (this.directory.modes[w]) {
      case PRESENCE.full:
        this.from = offset;
        this.to = offset + 1;
        return true;
      case PRESENCE.list:
        return this.#locateInList(w, offset);
      case PRESENCE.bitmap:
        return this.#locateInBitmap(w, offset);
      case PRESENCE.counts:
        return this.#locateInCounts(w, offset);
      default:
        return false;
    }
  }

  /**
   * Indexes of the first value of each document of window `w`: document i has the values from starts[i] up to, but not
   * including, starts[i + 1]. Valid until the next call.
   */
  starts(w: number): Int32Array {
    const starts = (this.#starts ??= new Int32Array(WINDOW_DOCS + 1));
    if (this.#startsOf === w) return starts;
    this.#decodeStarts(w, starts);
    this.#startsOf = w;
    return starts;
  }

  /**
   * Writes the offsets in window `w` of the documents that have a value, ascending, and returns their number. Value i
   * is the first value of document i; in a window where documents have several values, the index is in `starts`.
   */
  offsets(w: number, out: Int32Array): number {
    const mode = this.directory.modes[w];
    const rows = this.directory.rowCounts[w]!;
    if (mode === PRESENCE.none) return 0;
    if (mode === PRESENCE.list) unpackBits(this.#chunk(w), this.#offset(w), LIST_BITS, rows, out, 0);
    else if (mode === PRESENCE.bitmap) offsetsOfBitmap(this.#chunk(w), this.#offset(w), out);
    else if (mode === PRESENCE.full) for (let i = 0; i < rows; i++) out[i] = i;
    else return offsetsOfStarts(this.starts(w), out);
    return rows;
  }

  /** Smallest document >= target that has a value, or NO_MORE_DOCS if there is none. */
  next(target: number): number {
    for (
      let w = Math.floor(target / WINDOW_DOCS), from = target % WINDOW_DOCS;
      w < this.directory.windows;
      w++, from = 0
    ) {
      const offset = this.#nextInWindow(w, from);
      if (offset >= 0) return w * WINDOW_DOCS + offset;
    }
    return NO_MORE_DOCS;
  }

  #nextInWindow(w: number, from: number): number {
    const mode = this.directory.modes[w];
    const size = windowSize(w, this.#maxDoc);
    if (mode === PRESENCE.none || from >= size) return -1;
    if (mode === PRESENCE.full) return from;
    const starts = this.starts(w);
    for (let i = from; i < size; i++) if (starts[i + 1]! > starts[i]!) return i;
    return -1;
  }

  #chunk(w: number): Uint8Array {
    if (this.#chunkOf !== w) {
      this.#cachedChunk = this.#part.chunk(this.directory.presence[w]!);
      this.#chunkOf = w;
    }
    return this.#cachedChunk!;
  }

  #offset(w: number): number {
    return this.directory.presence[w]! % CHUNK_BYTES_MAX;
  }

  #locateInList(w: number, offset: number): boolean {
    const chunk = this.#chunk(w);
    const at = this.#offset(w);
    let low = 0;
    let high = this.directory.rowCounts[w]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (packedAt(chunk, at, LIST_BITS, middle) < offset) low = middle + 1;
      else high = middle;
    }
    this.from = low;
    this.to = low + 1;
    return low < this.directory.rowCounts[w]! && packedAt(chunk, at, LIST_BITS, low) === offset;
  }

  #locateInBitmap(w: number, offset: number): boolean {
    const chunk = this.#chunk(w);
    const at = this.#offset(w);
    const word = offset >>> 5;
    const bits = wordAt(chunk, at + 4 * word);
    if ((bits & (1 << (offset & 31))) === 0) return false;
    const rankIndex = Math.floor(offset / RANK_BITS);
    const rankAt = at + BITMAP_BYTES + 2 * rankIndex;
    let rank = (chunk[rankAt]! | (chunk[rankAt + 1]! << 8)) + popCount(bits & ((1 << (offset & 31)) - 1));
    for (let i = rankIndex * (RANK_BITS / 32); i < word; i++) rank += popCount(wordAt(chunk, at + 4 * i));
    this.from = Math.min(rank, this.directory.valueCounts[w]! - 1);
    this.to = this.from + 1;
    return true;
  }

  #locateInCounts(w: number, offset: number): boolean {
    const group = w * COUNT_GROUPS + Math.floor(offset / COUNT_GROUP);
    const starts = (this.#group ??= new Int32Array(COUNT_GROUP + 1));
    if (this.#groupOf !== group) {
      this.#decodeGroup(w, Math.floor(offset / COUNT_GROUP), starts, 0);
      this.#groupOf = group;
    }
    const i = offset % COUNT_GROUP;
    this.from = starts[i]!;
    this.to = starts[i + 1]!;
    return this.to > this.from;
  }

  #decodeGroup(w: number, g: number, out: Int32Array, outAt: number): void {
    const chunk = this.#chunk(w);
    const at = this.#offset(w);
    const entry = at + 6 * g;
    decodePatched(chunk, at + (chunk[entry]! | (chunk[entry + 1]! << 8)), COUNT_GROUP, out, outAt);
    let sum = wordAt(chunk, entry + 2) >>> 0;
    let signs = 0;
    for (let i = outAt; i < outAt + COUNT_GROUP; i++) {
      const count = out[i]!;
      signs |= count;
      out[i] = sum;
      sum += count;
    }
    out[outAt + COUNT_GROUP] = sum;
    if (signs < 0 || sum > this.directory.valueCounts[w]!)
      throw errors.corruption(`counts of column window ${w} are more than its values`);
  }

  #decodeStarts(w: number, starts: Int32Array): void {
    const mode = this.directory.modes[w];
    if (mode === PRESENCE.counts)
      for (let g = 0; g < COUNT_GROUPS; g++) this.#decodeGroup(w, g, starts, g * COUNT_GROUP);
    else if (mode === PRESENCE.full) for (let i = 0; i <= WINDOW_DOCS; i++) starts[i] = i;
    else if (mode === PRESENCE.bitmap) startsOfBitmap(this.#chunk(w), this.#offset(w), starts);
    else if (mode === PRESENCE.list)
      startsOfList(this.#chunk(w), this.#offset(w), this.directory.rowCounts[w]!, starts);
    else starts.fill(0);
  }
}

function startsOfBitmap(chunk: Uint8Array, at: number, starts: Int32Array): void {
  let rank = 0;
  for (let word = 0; word < WINDOW_DOCS / 32; word++) {
    let bits = wordAt(chunk, at + 4 * word);
    for (let i = 0; i < 32; i++) {
      starts[word * 32 + i] = rank;
      rank += bits & 1;
      bits >>>= 1;
    }
  }
  starts[WINDOW_DOCS] = rank;
}

/** Clears the lowest bit of a word again and again: as many steps as there are documents. */
function offsetsOfBitmap(chunk: Uint8Array, at: number, out: Int32Array): void {
  let count = 0;
  for (let word = 0; word < WINDOW_DOCS / 32; word++) {
    for (let bits = wordAt(chunk, at + 4 * word); bits !== 0; bits &= bits - 1)
      out[count++] = word * 32 + 31 - Math.clz32(bits & -bits);
  }
}

function offsetsOfStarts(starts: Int32Array, out: Int32Array): number {
  let count = 0;
  for (let i = 0; i < WINDOW_DOCS; i++) if (starts[i + 1]! > starts[i]!) out[count++] = i;
  return count;
}

function startsOfList(chunk: Uint8Array, at: number, rows: number, starts: Int32Array): void {
  let doc = 0;
  for (let row = 0; row < rows; row++) {
    const next = packedAt(chunk, at, LIST_BITS, row);
    while (doc <= next) starts[doc++] = row;
  }
  while (doc <= WINDOW_DOCS) starts[doc++] = rows;
}
