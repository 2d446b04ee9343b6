import { NO_MORE_DOCS } from '@shoal/segments';
import type { Matcher } from '../../matcher.js';
import type { SegmentView } from '../../searcher.js';

/**
 * Documents among candidates that a costly check lets pass, one after the other. Deleted documents are left out before.
 * In a conjunction the cost puts it last, so that only what all other clauses match is checked; what drives it can give
 * the thread back between windows.
 */
export class CheckedMatcher implements Matcher {
  readonly cost: number;
  readonly #candidates: Matcher;
  readonly #live: SegmentView['live'];
  readonly #check: (doc: number) => number | null;

  /**
   * The candidates score 0. `check` returns the score of a document, 0 where none is asked for; null if the document
   * does not match. `price` tells how many documents of another matcher a check costs as much as.
   */
  constructor(candidates: Matcher, live: SegmentView['live'], price: number, check: (doc: number) => number | null) {
    this.#candidates = candidates;
    this.#live = live;
    this.#check = check;
    this.cost = Math.min(NO_MORE_DOCS - 1, candidates.cost * price);
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    const count = this.#candidates.window(from, to, docs, null);
    scores?.fill(0, 0, count);
    return this.#keep(docs, count, scores);
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    return this.#keep(docs, this.#candidates.filter(docs, count, scores), scores);
  }

  #keep(docs: Int32Array, count: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      const score = this.#live === null || this.#live.get(doc) ? this.#check(doc) : null;
      if (score === null) continue;
      docs[kept] = doc;
      if (scores !== null) scores[kept] = scores[i]! + score;
      kept++;
    }
    return kept;
  }

  next(target: number): number {
    return this.#candidates.next(target);
  }

  maxScore(): number {
    return Infinity;
  }
}
