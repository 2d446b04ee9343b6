import {
  bitsOf,
  ByteReader,
  ByteWriter,
  decodePatched,
  encodePatched,
  idHashLow,
  packBits,
  packedAt,
  packedBytes,
  patchedBytesMax,
  radixSort,
} from '@shoal/codec';
import { errors } from '@shoal/errors';
import { CHUNK_BYTES_MAX } from '../segment-reader.js';
import type { PartReader } from '../storage/part-reader.js';
import type { SegmentOutput, StreamLocation } from '../storage/part-writer.js';

/** Entries in one block. */
const ID_BLOCK = 128;
const NONE: readonly number[] = [];

/**
 * Writes the 32-bit id hashes of documents, sorted, with their documents: blocks of hash differences and packed
 * document numbers. `docs` has `count` root documents; `hashes` is by document. In a segment of n documents a look-up
 * finds a false candidate with probability n / 2^32; the caller compares the ids.
 */
export function writeIds(output: SegmentOutput, hashes: Int32Array, docs: Int32Array, count: number): StreamLocation {
  const part = output.part('ids');
  const sorted = radixSort(new Int32Array(hashes.length), hashes, docs, count);
  const directory = new ByteWriter();
  directory.varint(count);
  const bytes = new Uint8Array(2 * patchedBytesMax(ID_BLOCK));
  const deltas = new Int32Array(ID_BLOCK);
  const histogram = new Int32Array(33);
  let address = 0;
  for (let from = 0; from < count; from += ID_BLOCK) {
    const size = Math.min(ID_BLOCK, count - from);
    const end = encodeIdBlock(hashes, sorted, from, size, deltas, bytes, histogram);
    const next = part.append(bytes, 0, end);
    directory.u32(hashes[sorted[from]!]! >>> 0);
    directory.varint(next - address);
    address = next;
  }
  return output.part('index').appendStream(directory.finish());
}

/**
 * Encodes a block: differences of the hashes from the block's first, a byte with the bit width of documents, documents.
 */
function encodeIdBlock(
  hashes: Int32Array,
  sorted: Int32Array,
  from: number,
  size: number,
  deltas: Int32Array,
  bytes: Uint8Array,
  histogram: Int32Array,
): number {
  let last = hashes[sorted[from]!]!;
  let highest = 0;
  for (let i = 0; i < size; i++) {
    const hash = hashes[sorted[from + i]!]!;
    deltas[i] = hash - last;
    last = hash;
    highest = Math.max(highest, sorted[from + i]!);
  }
  const at = encodePatched(deltas, 0, size, bytes, 0, histogram);
  const width = bitsOf(highest);
  bytes[at] = width;
  return packBits(sorted, from, size, width, bytes, at + 1);
}

/** The Bloom filter is built after one look-up for each this many ids: then it repays reading all hashes. */
const IDS_PER_LOOKUP = 64;
const FILTER_BITS_PER_ID = 12;

/** Bits that a hash sets in its word of the Bloom filter. */
function filterMask(hash: number): number {
  const mixed = Math.imul(hash, 0x9e3779b1);
  return (1 << (mixed >>> 27)) | (1 << ((mixed >>> 22) & 31)) | (1 << ((mixed >>> 17) & 31));
}

/**
 * Finds documents by the hash of their id. Indexing with ids of the client looks up each id in every segment, mostly
 * without a match. After some look-ups a Bloom filter with one word for each hash (Putze et al., "Cache-, Hash- and
 * Space-Efficient Bloom Filters", 2007) answers 97 % of the look-ups without a match.
 */
export class IdIndex {
  readonly #part: PartReader;
  readonly #count: number;
  readonly #firstHashes: Uint32Array;
  readonly #addresses: Float64Array;
  readonly #maxDoc: number;
  readonly #deltas = new Int32Array(ID_BLOCK);
  #lookups = 0;
  #filter: Int32Array | null = null;

  constructor(part: PartReader, directory: Uint8Array, maxDoc: number) {
    const input = new ByteReader(directory);
    this.#part = part;
    this.#maxDoc = maxDoc;
    this.#count = input.varint();
    if (this.#count > maxDoc) throw errors.corruption('more ids than documents');
    const blocks = Math.ceil(this.#count / ID_BLOCK);
    this.#firstHashes = new Uint32Array(blocks);
    this.#addresses = new Float64Array(blocks);
    let address = 0;
    for (let b = 0; b < blocks; b++) {
      this.#firstHashes[b] = input.u32();
      this.#addresses[b] = address += input.varint();
    }
  }

  /** Documents whose id has the same hash as `id`, ascending. */
  find(id: string): readonly number[] {
    const hash = idHashLow(id) >>> 0;
    if (!this.#mayHave(hash)) return NONE;
    const found: number[] = [];
    for (let b = this.#blockBefore(hash); b < this.#firstHashes.length && this.#firstHashes[b]! <= hash; b++)
      this.#findInBlock(b, hash, found);
    return found;
  }

  /** Writes the hash of each document to `into`, by document. */
  readHashes(into: Int32Array): void {
    for (let b = 0; b < this.#firstHashes.length; b++) {
      const chunk = this.#part.chunk(this.#addresses[b]!);
      const docsAt = this.#decode(b, chunk);
      const size = this.#size(b);
      let hash = this.#firstHashes[b]!;
      for (let i = 0; i < size; i++) {
        hash += this.#deltas[i]! >>> 0;
        into[this.#docAt(chunk, docsAt, i)] = hash;
      }
    }
  }

  #mayHave(hash: number): boolean {
    if (this.#filter === null) {
      if (++this.#lookups * IDS_PER_LOOKUP < this.#count) return true;
      this.#filter = this.#newFilter();
    }
    const mask = filterMask(hash);
    return (this.#filter[this.#filterWord(hash, this.#filter.length)]! & mask) === mask;
  }

  #filterWord(hash: number, words: number): number {
    return Math.floor((hash / 4294967296) * words);
  }

  #newFilter(): Int32Array {
    const words = Math.ceil((this.#count * FILTER_BITS_PER_ID) / 32);
    const filter = new Int32Array(words);
    for (let b = 0; b < this.#firstHashes.length; b++) {
      this.#decode(b, this.#part.chunk(this.#addresses[b]!));
      const size = this.#size(b);
      let hash = this.#firstHashes[b]!;
      for (let i = 0; i < size; i++) {
        hash += this.#deltas[i]! >>> 0;
        if (hash > 0xffffffff) throw errors.corruption('hash of an id of more than 32 bits');
        filter[this.#filterWord(hash, words)]! |= filterMask(hash);
      }
    }
    return filter;
  }

  /** The last block whose first hash is below `hash`: the first entries with `hash` may be at its end. */
  #blockBefore(hash: number): number {
    let low = 0;
    let high = this.#firstHashes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#firstHashes[middle]! < hash) low = middle;
      else high = middle - 1;
    }
    return Math.max(low, 0);
  }

  #size(b: number): number {
    return Math.min(ID_BLOCK, this.#count - b * ID_BLOCK);
  }

  /** Decodes the hash differences of a block; returns the offset of its documents in the chunk. */
  #decode(b: number, chunk: Uint8Array): number {
    const docsAt = decodePatched(chunk, this.#addresses[b]! % CHUNK_BYTES_MAX, this.#size(b), this.#deltas, 0);
    const width = chunk[docsAt]!;
    if (width > 32 || docsAt + packedBytes(this.#size(b), width) > chunk.length)
      throw errors.corruption('documents of ids run over the end of their block');
    return docsAt;
  }

  #docAt(chunk: Uint8Array, docsAt: number, i: number): number {
    const width = chunk[docsAt]!;
    const doc = packedAt(chunk, docsAt + 1, width, i);
    if (doc < 0 || doc >= this.#maxDoc) throw errors.corruption(`id of document [${doc}] of [${this.#maxDoc}]`);
    return doc;
  }

  #findInBlock(b: number, wanted: number, found: number[]): void {
    const chunk = this.#part.chunk(this.#addresses[b]!);
    const docsAt = this.#decode(b, chunk);
    let hash = this.#firstHashes[b]!;
    for (let i = 0, size = this.#size(b); i < size; i++) {
      hash += this.#deltas[i]! >>> 0;
      if (hash > wanted) return;
      if (hash === wanted) found.push(this.#docAt(chunk, docsAt, i));
    }
  }
}
