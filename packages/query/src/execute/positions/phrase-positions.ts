import { NO_MORE_DOCS, type TermsReader } from '@shoal/segments';
import { PostingsWalk } from '../matchers/postings-walk.js';
import { postingsOf, type Scratch } from '../scratch.js';

/**
 * One place of a phrase in one segment: the documents and positions of the one or several terms that the place accepts.
 */
export interface PlacePositions {
  readonly cost: number;
  /** Position in the phrase, counted from its beginning. */
  readonly offset: number;
  readonly terms: readonly string[];
  doc: number;
  advance(target: number): number;
  /** Loads the positions in the current document; returns how many. */
  load(): number;
  readonly positions: Int32Array;
}

/** Returns the positions of a place, or null when the segment has none of its terms. */
export function placePositions(
  reader: TermsReader,
  terms: readonly string[],
  offset: number,
  scratch?: Scratch,
): PlacePositions | null {
  const walks = terms
    .map((term) => reader.lookup(term))
    .filter((ordinal) => ordinal >= 0)
    .map((ordinal) => new PostingsWalk(postingsOf(reader, ordinal, scratch)));
  if (walks.length === 0) return null;
  return walks.length === 1 ? new SinglePlace(walks[0]!, terms, offset) : new UnionPlace(walks, terms, offset);
}

class SinglePlace implements PlacePositions {
  readonly cost: number;
  readonly offset: number;
  readonly terms: readonly string[];
  doc = -1;
  positions: Int32Array;
  readonly #walk: PostingsWalk;

  constructor(walk: PostingsWalk, terms: readonly string[], offset: number) {
    this.#walk = walk;
    this.terms = terms;
    this.offset = offset;
    this.cost = walk.docFreq;
    this.positions = walk.cursor.positionBuffer;
  }

  advance(target: number): number {
    return (this.doc = this.#walk.advance(target));
  }

  load(): number {
    const count = this.#walk.positions();
    this.positions = this.#walk.cursor.positionBuffer;
    return count;
  }
}

class UnionPlace implements PlacePositions {
  readonly cost: number;
  readonly offset: number;
  readonly terms: readonly string[];
  doc = -1;
  positions = new Int32Array(64);
  readonly #walks: readonly PostingsWalk[];

  constructor(walks: readonly PostingsWalk[], terms: readonly string[], offset: number) {
    this.#walks = walks;
    this.terms = terms;
    this.offset = offset;
    this.cost = walks.reduce((sum, walk) => sum + walk.docFreq, 0);
  }

  advance(target: number): number {
    let first = NO_MORE_DOCS;
    for (const walk of this.#walks) first = Math.min(first, walk.advance(target));
    return (this.doc = first);
  }

  load(): number {
    let count = 0;
    for (const walk of this.#walks) if (walk.doc === this.doc) count = this.#append(walk, count);
    this.positions.subarray(0, count).sort();
    return count;
  }

  #append(walk: PostingsWalk, count: number): number {
    const more = walk.positions();
    if (count + more > this.positions.length) {
      const grown = new Int32Array((count + more) * 2);
      grown.set(this.positions.subarray(0, count));
      this.positions = grown;
    }
    this.positions.set(walk.cursor.positionBuffer.subarray(0, more), count);
    return count + more;
  }
}
