import { type Value, compareTerms } from '@shoal/codec';
import { WINDOW_DOCS } from '@shoal/segments';
import type { Scratch } from '../execute/scratch.js';
import type { SegmentView } from '../searcher.js';
import type { SegmentKeys, SortKey } from '../sort/sort-key.js';
import { EntryHeap } from './entry-heap.js';
import { selectKth } from './select.kernel.js';
import type { TopDocs } from './top-scores.js';

/**
 * Start of a page: the sort values of the last hit before it. If ties are broken by document (scroll), `doc` is that
 * hit's document, else null.
 */
export interface PageStart {
  readonly values: readonly Value[];
  readonly doc: number | null;
}

/** With fewer candidates, selecting the best among them costs more than offering them all to the heap. */
const SELECT_DOCS_MIN = 64;

/**
 * Collects the best documents by several keys; of equal keys the smaller document is better. The first key is read for
 * a whole window. The other keys are read only for documents whose first key does not rule them out.
 */
export class TopSorted {
  readonly #keys: readonly SortKey[];
  readonly #capacity: number;
  readonly #after: PageStart | null;
  readonly #slots: number;
  readonly #heap: EntryHeap;
  #segment: readonly SegmentKeys[] = [];
  #view: SegmentView | null = null;
  #afterKeys: Float64Array | null = null;
  readonly #columns: Float64Array[];
  readonly #chosen: Int32Array;
  readonly #chosenScores: Float64Array;
  readonly #space: Scratch;
  #scratch: Float64Array | null = null;

  constructor(keys: readonly SortKey[], capacity: number, after: PageStart | null, space: Scratch) {
    this.#space = space;
    this.#keys = keys;
    this.#capacity = capacity;
    this.#after = after;
    this.#slots = keys.reduce((sum, key) => sum + key.slots, 0);
    this.#heap = new EntryHeap(this.#slots, capacity, keys.filter((key) => key.isSegmental).length);
    this.#columns = Array.from({ length: this.#slots }, () => space.doubles());
    this.#chosen = space.ints(WINDOW_DOCS);
    this.#chosenScores = space.doubles();
  }

  get needsScores(): boolean {
    return this.#keys.some((key) => key.needsScores);
  }

  /** Starts a segment: documents offered from now on belong to it. */
  start(view: SegmentView): void {
    this.#leave();
    this.#view = view;
    this.#segment = this.#keys.map((key) => key.segment(view));
    this.#rekey();
    this.#afterKeys = this.#after === null ? null : this.#keysOf(this.#after.values);
  }

  /** Stores the terms of the heap's entries that belong to the segment that ends. */
  #leave(): void {
    const view = this.#view;
    if (view === null) return;
    let column = 0;
    for (let k = 0; k < this.#keys.length; k++) {
      if (!this.#keys[k]!.isSegmental) continue;
      const terms = this.#heap.terms[column++]!;
      for (let i = 0; i < this.#heap.size; i++) {
        const doc = this.#heap.docs[i]! - view.docBase;
        if (doc >= 0) terms[i] = this.#segment[k]!.termOf(doc);
      }
    }
  }

  /**
   * Gives the entries of earlier segments keys that are comparable within the current segment. The order of these
   * entries does not change.
   */
  #rekey(): void {
    let slot = 0;
    let column = 0;
    for (let k = 0; k < this.#keys.length; k++) {
      if (this.#keys[k]!.isSegmental) this.#rekeySlot(k, slot, this.#heap.terms[column++]!);
      slot += this.#keys[k]!.slots;
    }
  }

  #rekeySlot(k: number, slot: number, all: readonly (string | null)[]): void {
    const terms = all.slice(0, this.#heap.size);
    const distinct = [...new Set(terms)].filter((term) => term !== null).sort(compareTerms);
    const keys = spread(
      distinct.map((term) => this.#segment[k]!.keyOf(0, term)),
      this.#keys[k]!.direction,
    );
    const keyByTerm = new Map<string | null, number>(distinct.map((term, i) => [term, keys[i]!]));
    keyByTerm.set(null, this.#segment[k]!.keyOf(0, null));
    for (let i = 0; i < this.#heap.size; i++) this.#heap.keys[i * this.#slots + slot] = keyByTerm.get(terms[i]!)!;
  }

  #keysOf(values: readonly Value[]): Float64Array {
    const keys = new Float64Array(this.#slots).fill(-Infinity);
    let at = 0;
    for (let k = 0; k < this.#keys.length; k++) {
      for (let slot = 0; slot < this.#keys[k]!.slots; slot++, at++)
        if (k < values.length) keys[at] = this.#segment[k]!.keyOf(slot, values[k]);
    }
    return keys;
  }

  /**
   * Returns whether no document of the block around `doc` can enter: all lie before the page, or are worse than the
   * worst entry of a full heap.
   */
  rulesOut(doc: number): boolean {
    if (this.#capacity === 0) return true;
    const first = this.#segment[0]!;
    if (this.#afterKeys !== null && first.blockWorst(doc) < this.#afterKeys[0]!) return true;
    if (!this.#heap.isFull) return false;
    const best = first.blockBest(doc);
    const worst = this.#heap.keys[0]!;
    if (best !== worst) return best > worst;
    return this.#slots === 1 && this.#view!.docBase + doc - (doc % WINDOW_DOCS) > this.#heap.docs[0]!;
  }

  /**
   * Returns a function that tells of the block around a document of a segment what no document in it sorts before, by
   * the first key; Infinity if all lie before the page. Null if segments cannot be compared: then they must be offered
   * in their order, else in any.
   */
  promise(view: SegmentView): ((doc: number) => number) | null {
    if (this.#capacity === 0 || this.#keys.some((key) => key.isSegmental)) return null;
    const first = this.#keys[0]!.segment(view);
    const after = this.#after === null ? -Infinity : first.keyOf(0, this.#after.values[0]!);
    return (doc) => (first.blockWorst(doc) < after ? Infinity : first.blockBest(doc));
  }

  /** Offers live documents of one window of the segment, ascending. */
  offer(docs: Int32Array, scores: Float64Array | null, count: number): void {
    if (this.#capacity === 0) return;
    this.#segment[0]!.read(0, docs, count, scores, this.#columns[0]!);
    const chosen = this.#choose(docs, scores, count);
    if (chosen === 0) return;
    this.#readRest(chosen, scores === null ? null : this.#chosenScores);
    const base = this.#view!.docBase;
    for (let i = 0; i < chosen; i++)
      this.#offerOne(i, this.#chosen[i]! + base, scores === null ? 0 : this.#chosenScores[i]!);
  }

  /** Compacts documents whose first key may be good enough, and that key; returns how many remain. */
  #choose(docs: Int32Array, scores: Float64Array | null, count: number): number {
    const worst = this.#heap.isFull ? this.#heap.keys[0]! : Infinity;
    const least = this.#afterKeys === null ? -Infinity : this.#afterKeys[0]!;
    const kept = this.#keepBetween(docs, scores, count, least, worst);
    if (kept < SELECT_DOCS_MIN || kept < 2 * this.#capacity) return kept;
    this.#scratch ??= this.#space.doubles();
    for (let i = 0; i < kept; i++) this.#scratch[i] = this.#columns[0]![i]!;
    const bound = selectKth(this.#scratch, kept, this.#capacity - 1);
    // Documents that tie with `search_after` on the first key may be dropped later, so they must not count towards the
    // bound.
    return bound === least
      ? kept
      : this.#keepBetween(
          this.#chosen,
          scores === null ? null : this.#chosenScores,
          kept,
          least,
          this.#boundAfter(kept, least, bound),
        );
  }

  /** Returns the bound among documents above `least`, because documents at `least` may not count. */
  #boundAfter(kept: number, least: number, bound: number): number {
    if (this.#afterKeys === null) return bound;
    let above = 0;
    const first = this.#columns[0]!;
    for (let i = 0; i < kept; i++) if (first[i]! > least) this.#scratch![above++] = first[i]!;
    return above <= this.#capacity ? Infinity : selectKth(this.#scratch!, above, this.#capacity - 1);
  }

  #keepBetween(docs: Int32Array, scores: Float64Array | null, count: number, least: number, worst: number): number {
    const first = this.#columns[0]!;
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
    if (this.#afterKeys === null || this.#isAfter(i, doc)) this.#heap.offer(this.#columns, i, doc, score);
  }

  #isAfter(i: number, doc: number): boolean {
    for (let slot = 0; slot < this.#slots; slot++) {
      const key = this.#columns[slot]![i]!;
      if (key !== this.#afterKeys![slot]) return key > this.#afterKeys![slot]!;
    }
    return this.#after!.doc !== null && doc > this.#after!.doc;
  }

  /** Returns the best documents, best first. */
  take(): TopDocs {
    return this.#heap.take();
  }
}

/**
 * Spreads equal neighbours among the keys of ascending terms, so that keys differ in the order of the terms. Such keys
 * are fractions between two ranks and stay between them.
 */
function spread(keys: readonly number[], direction: 1 | -1): number[] {
  const result = [...keys];
  for (let from = 0; from < keys.length; ) {
    let to = from + 1;
    while (to < keys.length && keys[to] === keys[from]) to++;
    for (let i = from; to - from > 1 && i < to; i++)
      result[i] = keys[from]! + direction * 0.9 * ((i - from + 1) / (to - from + 1) - 0.5);
    from = to;
  }
  return result;
}
