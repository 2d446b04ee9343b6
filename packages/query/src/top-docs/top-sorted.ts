import type { Value } from '@shoal/codec';
import { compareTerms } from '@shoal/values';
import type { SegmentView } from '../searcher.js';
import type { SegmentKeys, SortKey } from '../sort/sort-key.js';
import type { TopDocs } from './top-scores.js';

/** Documents are looked at in groups: those that the first key rules out never have their other keys read. */
const GROUP_DOCS = 512;

/** Where a page begins: sort values of the last hit before it, and its document where ties are told apart by it (scroll). */
export interface After {
  readonly values: readonly Value[];
  readonly doc: number | null;
}

/** The best documents by several keys, ties to the smaller document. A heap over flat arrays, the worst entry at the root. */
export class TopSorted {
  readonly #keys: readonly SortKey[];
  readonly #capacity: number;
  readonly #after: After | null;
  readonly #slots: number;
  /** `#slots` keys an entry. */
  #values: Float64Array;
  #docs: Int32Array;
  #scores: Float32Array;
  /** Terms of segmental keys of entries from earlier segments: one array a key. */
  #terms: (string | null)[][];
  #size = 0;
  #segment: readonly SegmentKeys[] = [];
  #view: SegmentView | null = null;
  #afterKeys: Float64Array | null = null;
  readonly #columns: Float64Array[];
  readonly #chosen = new Int32Array(GROUP_DOCS);
  readonly #chosenScores = new Float64Array(GROUP_DOCS);

  constructor(keys: readonly SortKey[], capacity: number, after: After | null) {
    this.#keys = keys;
    this.#capacity = capacity;
    this.#after = after;
    this.#slots = keys.reduce((sum, key) => sum + key.slots, 0);
    const entries = Math.min(capacity, 1024);
    this.#values = new Float64Array(entries * this.#slots);
    this.#docs = new Int32Array(entries);
    this.#scores = new Float32Array(entries);
    this.#terms = keys.map(() => []);
    this.#columns = Array.from({ length: this.#slots }, () => new Float64Array(GROUP_DOCS));
  }

  get needsScores(): boolean {
    return this.#keys.some((key) => key.needsScores);
  }

  /** Starts a segment; documents offered from now on are of it. */
  start(view: SegmentView): void {
    this.#leave();
    this.#view = view;
    this.#segment = this.#keys.map((key) => key.segment(view));
    this.#rekey();
    this.#afterKeys = this.#after === null ? null : this.#keysOf(this.#after.values);
  }

  /** Remembers the terms of entries of the segment that ends. */
  #leave(): void {
    const view = this.#view;
    if (view === null || !this.#keys.some((key) => key.isSegmental)) return;
    for (let k = 0; k < this.#keys.length; k++) {
      if (!this.#keys[k]!.isSegmental) continue;
      for (let i = 0; i < this.#size; i++) {
        if (this.#docs[i]! >= view.docBase) this.#terms[k]![i] = this.#segment[k]!.termOf(this.#docs[i]! - view.docBase);
      }
    }
  }

  /** Gives entries of earlier segments keys that compare with those of this one. Their order among themselves stays. */
  #rekey(): void {
    let slot = 0;
    for (let k = 0; k < this.#keys.length; k++) {
      if (this.#keys[k]!.isSegmental) this.#rekeySlot(k, slot);
      slot += this.#keys[k]!.slots;
    }
  }

  #rekeySlot(k: number, slot: number): void {
    const terms = this.#terms[k]!.slice(0, this.#size);
    const distinct = [...new Set(terms)].filter((term) => term !== null).sort(compareTerms);
    const keys = spread(distinct.map((term) => this.#segment[k]!.keyOf(0, term)), this.#keys[k]!.direction);
    const keyByTerm = new Map<string | null, number>(distinct.map((term, i) => [term, keys[i]!]));
    keyByTerm.set(null, this.#segment[k]!.keyOf(0, null));
    for (let i = 0; i < this.#size; i++) this.#values[i * this.#slots + slot] = keyByTerm.get(terms[i]!)!;
  }

  #keysOf(values: readonly Value[]): Float64Array {
    const keys: number[] = [];
    for (let k = 0; k < this.#keys.length; k++) {
      for (let slot = 0; slot < this.#keys[k]!.slots; slot++) keys.push(this.#segment[k]!.keyOf(slot, values[k]));
    }
    return Float64Array.from(keys);
  }

  get isFull(): boolean {
    return this.#size === this.#capacity;
  }

  /** Whether no document of the block around `doc` can enter: the heap is full and the first keys are worse. */
  rulesOut(doc: number): boolean {
    if (this.#capacity === 0) return true;
    if (!this.isFull || this.#slots === 0) return false;
    const best = this.#segment[0]!.blockBest(doc);
    return this.#slots === 1 ? best >= this.#values[0]! : best > this.#values[0]!;
  }

  /** Offers live documents of the segment, ascending. */
  offer(docs: Int32Array, scores: Float64Array | null, count: number): void {
    if (this.#capacity === 0) return;
    for (let from = 0; from < count; from += GROUP_DOCS) {
      const to = Math.min(from + GROUP_DOCS, count);
      this.#offerGroup(docs.subarray(from, to), scores === null ? null : scores.subarray(from, to), to - from);
    }
  }

  #offerGroup(docs: Int32Array, scores: Float64Array | null, count: number): void {
    this.#segment[0]!.read(0, docs, count, scores, this.#columns[0]!);
    const chosen = this.#choose(docs, scores, count);
    if (chosen === 0) return;
    this.#readRest(chosen, scores === null ? null : this.#chosenScores);
    for (let i = 0; i < chosen; i++) this.#offerOne(i, this.#chosen[i]! + this.#view!.docBase, scores === null ? 0 : this.#chosenScores[i]!);
  }

  /** Documents whose first key may be good enough, compacted beside that key. */
  #choose(docs: Int32Array, scores: Float64Array | null, count: number): number {
    const first = this.#columns[0]!;
    const worst = this.isFull ? this.#values[0]! : Infinity;
    const least = this.#afterKeys === null ? -Infinity : this.#afterKeys[0]!;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const key = first[i]!;
      if (key > worst || key < least) continue;
      this.#chosen[n] = docs[i]!;
      first[n] = key;
      if (scores !== null) this.#chosenScores[n] = scores[i]!;
      n++;
    }
    return n;
  }

  #readRest(count: number, scores: Float64Array | null): void {
    let slot = 0;
    for (let k = 0; k < this.#keys.length; k++) {
      for (let s = 0; s < this.#keys[k]!.slots; s++, slot++) {
        if (slot > 0) this.#segment[k]!.read(s, this.#chosen, count, scores, this.#columns[slot]!);
      }
    }
  }

  #offerOne(i: number, doc: number, score: number): void {
    if (this.#afterKeys !== null && !this.#isAfter(i, doc)) return;
    if (this.isFull) {
      if (!this.#beatsRoot(i)) return;
      this.#write(0, i, doc, score);
      this.#siftDown();
    } else {
      this.#reserve(this.#size + 1);
      this.#write(this.#size, i, doc, score);
      this.#siftUp(this.#size++);
    }
  }

  #isAfter(i: number, doc: number): boolean {
    for (let slot = 0; slot < this.#slots; slot++) {
      const key = this.#columns[slot]![i]!;
      if (key !== this.#afterKeys![slot]) return key > this.#afterKeys![slot]!;
    }
    return this.#after!.doc !== null && doc > this.#after!.doc;
  }

  /** Documents come in ascending order: one with equal keys is worse than those held. */
  #beatsRoot(i: number): boolean {
    for (let slot = 0; slot < this.#slots; slot++) {
      const key = this.#columns[slot]![i]!;
      if (key !== this.#values[slot]) return key < this.#values[slot]!;
    }
    return false;
  }

  #reserve(entries: number): void {
    if (entries <= this.#docs.length) return;
    const length = Math.min(this.#capacity, Math.max(entries, this.#docs.length * 2));
    const values = new Float64Array(length * this.#slots);
    values.set(this.#values);
    const docs = new Int32Array(length);
    docs.set(this.#docs);
    const scores = new Float32Array(length);
    scores.set(this.#scores);
    this.#values = values;
    this.#docs = docs;
    this.#scores = scores;
  }

  #write(at: number, i: number, doc: number, score: number): void {
    for (let slot = 0; slot < this.#slots; slot++) this.#values[at * this.#slots + slot] = this.#columns[slot]![i]!;
    this.#docs[at] = doc;
    this.#scores[at] = score;
    for (const terms of this.#terms) terms[at] = null;
  }

  #isWorse(a: number, b: number): boolean {
    for (let slot = 0; slot < this.#slots; slot++) {
      const left = this.#values[a * this.#slots + slot]!;
      const right = this.#values[b * this.#slots + slot]!;
      if (left !== right) return left > right;
    }
    return this.#docs[a]! > this.#docs[b]!;
  }

  #swap(a: number, b: number): void {
    for (let slot = 0; slot < this.#slots; slot++) {
      const [i, j] = [a * this.#slots + slot, b * this.#slots + slot];
      const value = this.#values[i]!;
      this.#values[i] = this.#values[j]!;
      this.#values[j] = value;
    }
    const doc = this.#docs[a]!;
    this.#docs[a] = this.#docs[b]!;
    this.#docs[b] = doc;
    const score = this.#scores[a]!;
    this.#scores[a] = this.#scores[b]!;
    this.#scores[b] = score;
    for (const terms of this.#terms) [terms[a], terms[b]] = [terms[b]!, terms[a]!];
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

  #siftDown(): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) return;
      if (child + 1 < this.#size && this.#isWorse(child + 1, child)) child++;
      if (!this.#isWorse(child, at)) return;
      this.#swap(at, child);
      at = child;
    }
  }

  /** The winners, best first. Keys of all entries compare within the last segment. */
  take(): TopDocs {
    const order = Array.from({ length: this.#size }, (_, i) => i).sort((a, b) => (this.#isWorse(a, b) ? 1 : -1));
    return { docs: Int32Array.from(order, (i) => this.#docs[i]!), scores: Float32Array.from(order, (i) => this.#scores[i]!) };
  }
}

/** Makes equal neighbours among fractional keys of ascending terms differ, in the key's direction, without passing a whole number. */
function spread(keys: readonly number[], direction: 1 | -1): number[] {
  const result = [...keys];
  for (let from = 0; from < keys.length; ) {
    let to = from + 1;
    while (to < keys.length && keys[to] === keys[from]) to++;
    for (let i = from; to - from > 1 && i < to; i++) result[i] = keys[from]! + direction * 0.9 * ((i - from + 1) / (to - from + 1) - 0.5);
    from = to;
  }
  return result;
}
