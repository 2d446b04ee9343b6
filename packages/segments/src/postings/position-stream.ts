import { decodePatched, skipPatched } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { CHUNK_BYTES_MAX } from '../segment-reader.js';
import type { PartReader } from '../storage/part-reader.js';
import { POSITIONS_BLOCK } from './postings-writer.js';

/** Limit of the positions of one term in one document: more than a document of 100 MB can have. */
const POSITIONS_MAX = 1 << 25;

/** Reads the position differences of posting lists, block by block. */
export class PositionStream {
  #part: PartReader | null;
  readonly #deltas = new Int32Array(POSITIONS_BLOCK);
  #startBlock = -1;
  #startEnd = -1;
  #total = 0;
  /**
   * Number of the block that follows in the part, and the address after the block before it, which is the decoded one.
   */
  #nextBlock = 0;
  #end = 0;
  #decoded = -1;

  constructor(part: PartReader) {
    this.#part = part;
  }

  /** Switches to the lists of another part; null releases the part. */
  enter(part: PartReader | null): void {
    this.#part = part;
    this.#startBlock = -1;
    this.#decoded = -1;
  }

  /**
   * Moves to the block `block` of a list with `total` positions. The block follows the address `end`. `from` is the
   * index of the first position that will be read.
   */
  reset(block: number, end: number, total: number, from: number): void {
    if (block === this.#startBlock && end === this.#startEnd && total === this.#total && !this.isBehind(from)) return;
    this.#startBlock = block;
    this.#startEnd = end;
    this.#nextBlock = block;
    this.#end = end;
    this.#total = total;
    this.#decoded = -1;
  }

  /** Throws corrupt_index_exception if the list does not have the positions from … from + count - 1. */
  require(from: number, count: number): void {
    if (!(count >= 0 && count <= POSITIONS_MAX && from + count <= this.#total))
      throw errors.corruption(`positions ${from} to ${from + count} of ${this.#total}`);
  }

  /**
   * Writes the positions from … from + count - 1 of one document, the running sums of their differences, to `out`.
   * `from` is never before the block of the last `reset`.
   */
  read(from: number, count: number, out: Int32Array): void {
    let position = 0;
    for (let i = 0; i < count; i++) {
      const index = from + i;
      if (index >> 7 !== this.#decoded) this.#decode(index >> 7);
      position += this.#deltas[index & (POSITIONS_BLOCK - 1)]!;
      out[i] = position;
    }
  }

  /** As `read`, but writes the differences, to `into` from `at` on. */
  readSteps(from: number, count: number, into: Int32Array, at: number): void {
    const end = from + count;
    let target = at;
    for (let index = from; index < end; ) {
      if (index >> 7 !== this.#decoded) this.#decode(index >> 7);
      const stop = Math.min(end, (index | (POSITIONS_BLOCK - 1)) + 1);
      while (index < stop) into[target++] = this.#deltas[index++ & (POSITIONS_BLOCK - 1)]!;
    }
  }

  /** Whether the position `index` is in a block that was passed already. */
  isBehind(index: number): boolean {
    const block = index >> 7;
    return block < this.#nextBlock && block !== this.#decoded;
  }

  #decode(block: number): void {
    while (this.#nextBlock <= block) {
      const address = this.#part!.following(this.#end);
      const chunk = this.#part!.chunk(address);
      const at = address % CHUNK_BYTES_MAX;
      const count = Math.min(POSITIONS_BLOCK, this.#total - this.#nextBlock * POSITIONS_BLOCK);
      const end =
        this.#nextBlock === block ? decodePatched(chunk, at, count, this.#deltas, 0) : skipPatched(chunk, at, count);
      this.#end = address - at + end;
      this.#nextBlock++;
    }
    this.#decoded = block;
  }
}
