import { NO_MORE_DOCS, type PostingsCursor } from '@shoal/segments';
import { gallop } from '../score.kernel.js';

/** Walks a posting list a document at a time over its blocks. */
export class PostingsWalk {
  readonly cursor: PostingsCursor;
  readonly docFreq: number;
  doc = -1;
  #at = 0;
  #size = 0;

  constructor(cursor: PostingsCursor) {
    this.cursor = cursor;
    this.docFreq = cursor.docFreq;
  }

  /** Goes to the first document >= target. */
  advance(target: number): number {
    if (this.doc >= target) return this.doc;
    if (this.#size > 0 && this.cursor.docs[this.#size - 1]! >= target)
      this.#at = gallop(this.cursor.docs, this.#at, this.#size, target);
    else {
      this.#size = this.cursor.advanceBlock(target);
      if (this.#size === 0) return (this.doc = NO_MORE_DOCS);
      this.#at = gallop(this.cursor.docs, 0, this.#size, target);
    }
    return (this.doc = this.cursor.docs[this.#at]!);
  }

  freq(): number {
    return this.cursor.freqs[this.#at]!;
  }

  /** Decodes the positions in the current document into `cursor.positionBuffer`; returns how many. */
  positions(): number {
    return this.cursor.positions(this.#at);
  }
}
