import type { TopDocs } from './top-scores.js';

const INITIAL_ENTRIES_MAX = 1024;

/**
 * A heap of documents with several keys each, over flat arrays. The worst entry is at the root: larger keys are worse,
 * of equal keys the larger document.
 */
export class EntryHeap {
  readonly #slots: number;
  readonly #capacity: number;
  /**
   * Keys of the entries, `slots` numbers an entry. The owner may change keys if the order of the entries stays the
   * same.
   */
  keys: Float64Array;
  docs: Int32Array;
  #scores: Float32Array;
  /** Values that move with their entries, one array a column. */
  readonly terms: readonly (string | null)[][];
  size = 0;

  constructor(slots: number, capacity: number, termColumns: number) {
    const entries = Math.min(capacity, INITIAL_ENTRIES_MAX);
    this.#slots = slots;
    this.#capacity = capacity;
    this.keys = new Float64Array(entries * slots);
    this.docs = new Int32Array(entries);
    this.#scores = new Float32Array(entries);
    this.terms = Array.from({ length: termColumns }, () => []);
  }

  get isFull(): boolean {
    return this.size === this.#capacity;
  }

  /** Adds a document with the keys `columns[slot][i]` if it is among the best. */
  offer(columns: readonly Float64Array[], i: number, doc: number, score: number): void {
    if (this.isFull) {
      if (!this.#beatsRoot(columns, i, doc)) return;
      this.#write(0, columns, i, doc, score);
      this.#siftDown(this.size);
    } else {
      this.#reserve(this.size + 1);
      this.#write(this.size, columns, i, doc, score);
      this.#siftUp(this.size++);
    }
  }

  #beatsRoot(columns: readonly Float64Array[], i: number, doc: number): boolean {
    for (let slot = 0; slot < this.#slots; slot++) {
      const key = columns[slot]![i]!;
      if (key !== this.keys[slot]) return key < this.keys[slot]!;
    }
    return doc < this.docs[0]!;
  }

  #reserve(entries: number): void {
    if (entries <= this.docs.length) return;
    const length = Math.min(this.#capacity, Math.max(entries, this.docs.length * 2));
    const keys = new Float64Array(length * this.#slots);
    keys.set(this.keys);
    const docs = new Int32Array(length);
    docs.set(this.docs);
    const scores = new Float32Array(length);
    scores.set(this.#scores);
    this.keys = keys;
    this.docs = docs;
    this.#scores = scores;
  }

  #write(at: number, columns: readonly Float64Array[], i: number, doc: number, score: number): void {
    for (let slot = 0; slot < this.#slots; slot++) this.keys[at * this.#slots + slot] = columns[slot]![i]!;
    this.docs[at] = doc;
    this.#scores[at] = score;
    for (let c = 0; c < this.terms.length; c++) this.terms[c]![at] = null;
  }

  #isWorse(a: number, b: number): boolean {
    const slots = this.#slots;
    for (let slot = 0; slot < slots; slot++) {
      const left = this.keys[a * slots + slot]!;
      const right = this.keys[b * slots + slot]!;
      if (left !== right) return left > right;
    }
    return this.docs[a]! > this.docs[b]!;
  }

  #swap(a: number, b: number): void {
    const slots = this.#slots;
    for (let slot = 0; slot < slots; slot++) {
      const key = this.keys[a * slots + slot]!;
      this.keys[a * slots + slot] = this.keys[b * slots + slot]!;
      this.keys[b * slots + slot] = key;
    }
    const doc = this.docs[a]!;
    this.docs[a] = this.docs[b]!;
    this.docs[b] = doc;
    const score = this.#scores[a]!;
    this.#scores[a] = this.#scores[b]!;
    this.#scores[b] = score;
    for (let c = 0; c < this.terms.length; c++) this.#swapTerms(this.terms[c]!, a, b);
  }

  #swapTerms(terms: (string | null)[], a: number, b: number): void {
    const term = terms[a]!;
    terms[a] = terms[b]!;
    terms[b] = term;
  }

  #siftUp(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isWorse(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #siftDown(size: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) return;
      if (child + 1 < size && this.#isWorse(child + 1, child)) child++;
      if (!this.#isWorse(child, at)) return;
      this.#swap(at, child);
      at = child;
    }
  }

  /** Removes all entries and returns them best first: heap sort in place. */
  take(): TopDocs {
    const count = this.size;
    for (let last = count - 1; last > 0; last--) {
      this.#swap(0, last);
      this.#siftDown(last);
    }
    this.size = 0;
    return { docs: this.docs.slice(0, count), scores: this.#scores.slice(0, count) };
  }
}
