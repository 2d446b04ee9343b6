import { errors } from '@shoal/errors';
import { NO_MORE_DOCS, type Impacts, type PostingsCursor } from '../segment-reader.js';

const BLOCK_DOCS = 128;

const EMPTY = new Int32Array(0);

/**
 * Postings of a term with its documents renumbered: all are read, sorted by the new number, and returned in blocks. For
 * merges only: it has no impacts and iterates only forward.
 */
export class SortedPostings implements PostingsCursor {
  readonly docFreq: number;
  readonly docs = new Int32Array(BLOCK_DOCS);
  readonly freqs = new Int32Array(BLOCK_DOCS);
  size = 0;
  positionBuffer: Int32Array = EMPTY;
  readonly #all: readonly Posting[];
  #at = 0;
  /** Number of documents of the block whose positions `positionSteps` has returned completely. */
  #stepDoc = 0;
  /** Number of positions of the next document that it has returned. */
  #stepAt = 0;

  constructor(source: PostingsCursor, position: Int32Array, hasPositions: boolean) {
    const all = gather(source, position, hasPositions);
    this.#all = all.sort((a, b) => a.doc - b.doc);
    this.docFreq = all.length;
  }

  nextBlock(): number {
    this.size = Math.min(BLOCK_DOCS, this.#all.length - this.#at);
    for (let i = 0; i < this.size; i++) {
      const { doc, freq } = this.#all[this.#at + i]!;
      this.docs[i] = doc;
      this.freqs[i] = freq;
    }
    this.#at += this.size;
    this.#stepDoc = 0;
    this.#stepAt = 0;
    return this.size;
  }

  #positionsOf(i: number): Int32Array {
    return this.#all[this.#at - this.size + i]!.positions;
  }

  positions(i: number): number {
    this.positionBuffer = this.#positionsOf(i);
    return this.positionBuffer.length;
  }

  positionSteps(count: number, into: Int32Array, at: number): void {
    for (let n = 0; n < count; n++) {
      while (this.#stepAt === this.#positionsOf(this.#stepDoc).length) {
        this.#stepDoc++;
        this.#stepAt = 0;
      }
      const own = this.#positionsOf(this.#stepDoc);
      into[at + n] = own[this.#stepAt]! - (this.#stepAt === 0 ? 0 : own[this.#stepAt - 1]!);
      this.#stepAt++;
    }
  }

  advanceBlock(target: number): number {
    let size = this.nextBlock();
    while (size > 0 && this.docs[size - 1]! < target) size = this.nextBlock();
    return size;
  }

  shallowAdvance(): number {
    return NO_MORE_DOCS;
  }

  impacts(): Impacts {
    throw errors.illegalState('postings that are being sorted have no impacts');
  }

  globalImpacts(): Impacts {
    throw errors.illegalState('postings that are being sorted have no impacts');
  }
}

interface Posting {
  readonly doc: number;
  readonly freq: number;
  readonly positions: Int32Array;
}

function gather(source: PostingsCursor, position: Int32Array, hasPositions: boolean): Posting[] {
  const all: Posting[] = [];
  for (let size = source.nextBlock(); size > 0; size = source.nextBlock()) {
    for (let i = 0; i < size; i++) {
      const doc = source.docs[i]!;
      if (doc >= position.length) continue;
      all.push({
        doc: position[doc]!,
        freq: source.freqs[i]!,
        positions: hasPositions ? positionsOf(source, i) : EMPTY,
      });
    }
  }
  return all;
}

function positionsOf(source: PostingsCursor, i: number): Int32Array {
  const count = source.positions(i);
  return source.positionBuffer.slice(0, count);
}
