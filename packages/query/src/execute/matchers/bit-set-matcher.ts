import { type BitSet, NO_MORE_DOCS } from '@shoal/segments';
import type { Matcher } from '../../matcher.js';
import { addConstant, bitsToDocs, keepBits, orBits } from '../window.kernel.js';

/** Documents of a bit set, all with one score. */
export class BitSetMatcher implements Matcher {
  readonly cost: number;
  readonly #bits: BitSet;
  readonly #score: number;
  #minScore = 0;

  constructor(bits: BitSet, score: number, cost = bits.cardinality()) {
    this.#bits = bits;
    this.#score = score;
    this.cost = cost;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    if (this.#minScore > this.#score) return 0;
    const count = bitsToDocs(this.#bits.words, from, Math.min(to, this.#bits.size), docs);
    if (scores !== null) scores.fill(this.#score, 0, count);
    return count;
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    const kept = keepBits(this.#bits.words, docs, count, scores, 1);
    if (scores !== null) addConstant(scores, kept, this.#score);
    return kept;
  }

  accumulate(from: number, to: number, sums: Float64Array | null, words: Int32Array, counts: Uint8Array | null): void {
    const end = Math.min(to, this.#bits.size);
    if (sums === null && counts === null) orBits(this.#bits.words, from, end, words);
    else
      for (let doc = this.#bits.next(from); doc < end; doc = this.#bits.next(doc + 1))
        this.#count(doc - from, sums, words, counts);
  }

  #count(at: number, sums: Float64Array | null, words: Int32Array, counts: Uint8Array | null): void {
    words[at >> 5]! |= 1 << at;
    if (sums !== null) sums[at]! += this.#score;
    if (counts !== null && counts[at]! < 255) counts[at]!++;
  }

  next(target: number): number {
    return this.#minScore > this.#score || target >= this.#bits.size ? NO_MORE_DOCS : this.#bits.next(target);
  }

  maxScore(): number {
    return this.#score;
  }

  setMinScore(score: number): void {
    this.#minScore = score;
  }
}

/** A short ascending list of documents, all with one score. */
export class DocListMatcher implements Matcher {
  readonly cost: number;
  readonly #list: Int32Array;
  readonly #score: number;
  #at = 0;

  constructor(list: Int32Array, score: number) {
    this.#list = list;
    this.#score = score;
    this.cost = list.length;
  }

  next(target: number): number {
    while (this.#at < this.#list.length && this.#list[this.#at]! < target) this.#at++;
    return this.#at < this.#list.length ? this.#list[this.#at]! : NO_MORE_DOCS;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    let count = 0;
    for (let doc = this.next(from); doc < to; doc = this.next(doc + 1)) docs[count++] = doc;
    if (scores !== null) scores.fill(this.#score, 0, count);
    return count;
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (this.next(doc) !== doc) continue;
      docs[kept] = doc;
      if (scores !== null) scores[kept] = scores[i]! + this.#score;
      kept++;
    }
    return kept;
  }

  maxScore(): number {
    return this.#score;
  }
}

/** All documents of a segment, with one score. */
export class AllMatcher implements Matcher {
  readonly cost: number;
  readonly #score: number;
  #minScore = 0;

  constructor(maxDoc: number, score: number) {
    this.cost = maxDoc;
    this.#score = score;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    if (this.#minScore > this.#score) return 0;
    const end = Math.min(to, this.cost);
    for (let doc = from, i = 0; doc < end; doc++, i++) docs[i] = doc;
    const count = Math.max(0, end - from);
    if (scores !== null) scores.fill(this.#score, 0, count);
    return count;
  }

  filter(_docs: Int32Array, count: number, scores: Float64Array | null): number {
    if (scores !== null) addConstant(scores, count, this.#score);
    return count;
  }

  next(target: number): number {
    return this.#minScore > this.#score || target >= this.cost ? NO_MORE_DOCS : target;
  }

  maxScore(): number {
    return this.#score;
  }

  setMinScore(score: number): void {
    this.#minScore = score;
  }
}
