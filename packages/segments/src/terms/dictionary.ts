import { ByteReader } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { CHUNK_BYTES_MAX } from '../segment-reader.js';
import type { PartReader } from '../storage/part-reader.js';
import { BLOCK_TERMS, NIBBLE_MAX, TERM_BYTES_MAX } from './dictionary-writer.js';

/** Sparse index of a dictionary, in memory while the field is in use: about 20 bytes for 32 terms. */
interface SparseIndex {
  readonly blockCount: number;
  /** Ordinal of the first term of each block, and the number of terms at the end. */
  readonly firstOrdinals: Int32Array;
  readonly addresses: Float64Array;
  /**
   * For each block the shortest byte string that is greater than all terms before it and not greater than its first
   * term.
   */
  readonly separators: Uint8Array;
  readonly separatorEnds: Int32Array;
}

function readSparseIndex(bytes: Uint8Array): SparseIndex {
  const input = new ByteReader(bytes);
  const blockCount = input.varint();
  if (blockCount > bytes.length) throw errors.corruption('dictionary of more blocks than its index has bytes');
  const firstOrdinals = new Int32Array(blockCount + 1);
  const addresses = new Float64Array(blockCount);
  const separatorEnds = new Int32Array(blockCount);
  const separators = new Uint8Array(bytes.length);
  let end = 0;
  let address = 0;
  for (let b = 0; b < blockCount; b++) {
    firstOrdinals[b + 1] = firstOrdinals[b]! + Math.min(input.u8(), BLOCK_TERMS);
    addresses[b] = address += input.varint();
    const separator = input.bytes();
    separators.set(separator, end);
    separatorEnds[b] = end += separator.length;
  }
  return { blockCount, firstOrdinals, addresses, separators: separators.slice(0, end), separatorEnds };
}

/** UTF-8 bytes of the current term of a `BlockWalk`. */
export interface TermBytes {
  bytes: Buffer;
  length: number;
}

/** Iterates over the terms of one block. */
export class BlockWalk implements TermBytes {
  bytes = Buffer.alloc(128);
  length = 0;
  /** Index of the current term in the block; -1 before the first. */
  index = -1;
  count = 0;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** Lower bound of the leading bytes of the current term that are ASCII. */
  #asciiBytes = TERM_BYTES_MAX;

  /** Moves before the first term of the block at offset `at` of `chunk`. */
  open(chunk: Uint8Array, at: number): void {
    this.#chunk = chunk;
    this.#at = at + 3;
    this.count = Math.min(chunk[at]!, BLOCK_TERMS);
    this.index = -1;
    this.length = 0;
    this.#asciiBytes = TERM_BYTES_MAX;
  }

  /** Moves to the next term; returns false at the end of the block. */
  next(): boolean {
    if (++this.index >= this.count) return false;
    const chunk = this.#chunk;
    const head = chunk[this.#at++]!;
    let prefix = head >>> 4;
    let suffix = head & NIBBLE_MAX;
    if (prefix === NIBBLE_MAX) prefix += this.#varint();
    if (suffix === NIBBLE_MAX) suffix += this.#varint();
    const length = prefix + suffix;
    if (!(prefix <= this.length && length <= TERM_BYTES_MAX && this.#at + suffix <= chunk.length))
      throw errors.corruption('term runs over the end of its block');
    if (length > this.bytes.length)
      this.bytes = Buffer.concat([this.bytes.subarray(0, prefix), Buffer.alloc(2 * length - prefix)]);
    const { bytes } = this;
    let at = this.#at;
    let high = 0;
    for (let i = prefix; i < length; i++) {
      const byte = chunk[at++]!;
      bytes[i] = byte;
      high |= byte;
    }
    if (high >= 0x80) this.#asciiBytes = Math.min(this.#asciiBytes, prefix);
    else if (this.#asciiBytes >= prefix) this.#asciiBytes = TERM_BYTES_MAX;
    this.#at = at;
    this.length = length;
    return true;
  }

  /** The current term as a string. */
  text(): string {
    return this.#asciiBytes >= this.length
      ? this.bytes.toString('latin1', 0, this.length)
      : this.bytes.toString('utf8', 0, this.length);
  }

  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#chunk[this.#at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  }
}

function compareBytes(a: Uint8Array, aFrom: number, aTo: number, b: Uint8Array, bTo: number): number {
  const length = Math.min(aTo - aFrom, bTo);
  for (let i = 0; i < length; i++) {
    const difference = a[aFrom + i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return aTo - aFrom - bTo;
}

/** Reads the terms of a field of a sealed segment. */
export class Dictionary {
  readonly termCount: number;
  readonly #part: PartReader;
  readonly #readIndex: () => Uint8Array;
  #index: SparseIndex | null = null;
  readonly #walk = new BlockWalk();
  #target = Buffer.alloc(128);

  constructor(termCount: number, part: PartReader, readIndex: () => Uint8Array) {
    this.termCount = termCount;
    this.#part = part;
    this.#readIndex = readIndex;
  }

  get blockCount(): number {
    return this.#sparse.blockCount;
  }

  firstOrdinal(block: number): number {
    return this.#sparse.firstOrdinals[block]!;
  }

  /** Address of a block. */
  address(block: number): number {
    return this.#sparse.addresses[block]!;
  }

  /** Chunk that contains a block. */
  chunk(block: number): Uint8Array {
    return this.#part.chunk(this.address(block));
  }

  /** Number of the block that contains the term with an ordinal. */
  blockOf(ordinal: number): number {
    const { firstOrdinals, blockCount } = this.#sparse;
    let low = Math.floor(ordinal / BLOCK_TERMS);
    let high = blockCount - 1;
    if (low <= high && firstOrdinals[low + 1]! > ordinal) return low;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (firstOrdinals[middle]! <= ordinal) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Moves `walk` before the first term of a block. */
  open(block: number, walk: BlockWalk): void {
    walk.open(this.chunk(block), this.address(block) % CHUNK_BYTES_MAX);
  }

  term(ordinal: number): string {
    const block = this.blockOf(ordinal);
    const walk = this.#walk;
    this.open(block, walk);
    for (let left = ordinal - this.firstOrdinal(block); left >= 0; left--)
      if (!walk.next()) throw errors.corruption(`no term [${ordinal}]`);
    return walk.text();
  }

  /** Ordinal of a term, or -1 if there is no such term. */
  lookup(term: string): number {
    const walk = this.#walk;
    const block = this.seek(term, walk);
    if (block < 0 || walk.index >= walk.count) return -1;
    return compareBytes(walk.bytes, 0, walk.length, this.#target, this.#targetLength) === 0
      ? this.firstOrdinal(block) + walk.index
      : -1;
  }

  #targetLength = 0;

  /**
   * Moves `walk` to the first term >= `term` in the block where `term` belongs, possibly to the end of the block.
   * Returns the number of the block, or -1 if the dictionary is empty.
   */
  seek(term: string, walk: BlockWalk): number {
    if (this.termCount === 0) return -1;
    if (this.#target.length < term.length * 3) this.#target = Buffer.alloc(term.length * 3);
    const target = this.#target;
    const length = target.write(term, 0, 'utf8');
    this.#targetLength = length;
    const block = this.#findBlock(target, length);
    this.open(block, walk);
    while (walk.next()) if (compareBytes(walk.bytes, 0, walk.length, target, length) >= 0) break;
    return block;
  }

  get #sparse(): SparseIndex {
    this.#index ??= readSparseIndex(this.#readIndex());
    return this.#index;
  }

  #findBlock(target: Uint8Array, length: number): number {
    const { separators, separatorEnds, blockCount } = this.#sparse;
    let low = 0;
    let high = blockCount - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (compareBytes(separators, separatorEnds[middle - 1]!, separatorEnds[middle]!, target, length) <= 0)
        low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
