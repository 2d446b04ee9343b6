import { offerScores, siftDownScores } from './heap.kernel.js';

/** Best documents of a search, best first. */
export interface TopDocs {
  /** Numbers of the documents in the shard. */
  readonly docs: Int32Array;
  /** Scores of the documents; empty for searches without scores. */
  readonly scores: Float32Array;
}

/** Entries for which room is reserved at first: a search may ask for more hits than the shard has. */
const INITIAL_ENTRIES_MAX = 1024;

/** Collects the best documents by score; of equal scores the smaller document is better. */
export class TopScores {
  readonly #capacity: number;
  #scores: Float64Array;
  #docs: Int32Array;
  #size = 0;
  maxScore = Number.NEGATIVE_INFINITY;

  constructor(capacity: number) {
    this.#capacity = capacity;
    const entries = Math.min(capacity, INITIAL_ENTRIES_MAX);
    this.#scores = new Float64Array(entries);
    this.#docs = new Int32Array(entries);
  }

  /** Offers live documents of a segment, ascending. */
  offer(docs: Int32Array, scores: Float64Array, count: number, base: number): void {
    if (this.#capacity === 0) return;
    this.#reserve(this.#size + count);
    this.#size = offerScores(docs, scores, count, base, this.#scores, this.#docs, this.#size, this.#capacity);
  }

  #reserve(entries: number): void {
    const wanted = Math.min(entries, this.#capacity);
    if (wanted <= this.#scores.length) return;
    const length = Math.min(this.#capacity, Math.max(wanted, this.#scores.length * 2));
    const scores = new Float64Array(length);
    scores.set(this.#scores);
    const docs = new Int32Array(length);
    docs.set(this.#docs);
    this.#scores = scores;
    this.#docs = docs;
  }

  get isFull(): boolean {
    return this.#size === this.#capacity;
  }

  /** The score that a further document has to exceed; 0 while the heap is not full. */
  get worst(): number {
    return this.isFull && this.#size > 0 ? this.#scores[0]! : 0;
  }

  /** Removes the best documents and returns them, best first. */
  take(): TopDocs {
    const docs = new Int32Array(this.#size);
    const scores = new Float32Array(this.#size);
    for (let left = this.#size; left > 0; left--) {
      docs[left - 1] = this.#docs[0]!;
      scores[left - 1] = this.#scores[0]!;
      this.#scores[0] = this.#scores[left - 1]!;
      this.#docs[0] = this.#docs[left - 1]!;
      siftDownScores(this.#scores, this.#docs, left - 1, 0);
    }
    this.#size = 0;
    return { docs, scores };
  }
}
