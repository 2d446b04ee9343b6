import type { Matcher } from '../../matcher.js';

/** Iterator over documents that are matched one at a time: spans, intervals, combined fields. */
export interface DocIterator {
  readonly cost: number;
  /** The smallest document >= target that may match, or NO_MORE_DOCS. Targets rise. */
  next(target: number): number;
  /**
   * Returns the score of a document that `next` returned; negative when the document does not match. Scores that count
   * are positive.
   */
  score(doc: number, needsScore: boolean): number;
}

/** A matcher over a DocIterator. */
export class DocMatcher implements Matcher {
  readonly cost: number;
  readonly #iterator: DocIterator;
  #doc = -1;

  constructor(iterator: DocIterator) {
    this.#iterator = iterator;
    this.cost = iterator.cost;
  }

  next(target: number): number {
    if (this.#doc < target) this.#doc = this.#iterator.next(target);
    return this.#doc;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    let count = 0;
    for (let doc = this.next(from); doc < to; doc = this.next(doc + 1)) {
      const score = this.#iterator.score(doc, scores !== null);
      if (score < 0) continue;
      docs[count] = doc;
      if (scores !== null) scores[count] = score;
      count++;
    }
    return count;
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (this.next(doc) !== doc) continue;
      const score = this.#iterator.score(doc, scores !== null);
      if (score < 0) continue;
      docs[kept] = doc;
      if (scores !== null) scores[kept] = scores[i]! + score;
      kept++;
    }
    return kept;
  }

  maxScore(): number {
    return Number.POSITIVE_INFINITY;
  }
}
