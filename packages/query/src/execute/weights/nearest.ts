import { NO_MORE_DOCS } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import { type NearestDocs, type NearestReport, NearestSearch } from '../nearest-search.js';
import type { PlanOf } from '../plan-of.js';
import { asFilter, type WeightContext } from '../weight-context.js';

/** Weight of the documents nearest to a vector, which are found over all segments before any matcher is made. */
export function nearestWeight(plan: PlanOf<'nearest'>, context: WeightContext): Weight {
  const { nestedPath: _, ...atRoot } = asFilter(context);
  const filter = plan.filter === null ? null : context.weight(plan.filter, atRoot);
  const search = new NearestSearch(plan, filter, context.searcher);
  context.preparations?.push(() => search.step());
  const boost = Math.fround(context.boost * plan.boost);
  return {
    debug: () => debugOf(search.report),
    matcher: (segment) => {
      const found = search.found(segment);
      return found === null ? null : new ScoredDocsMatcher(found, boost);
    },
  };
}

/** What a profile shows of a search. */
function debugOf({
  compared,
  exactSegments,
  walkedSegments,
  candidates,
  recall,
}: NearestReport): Readonly<Record<string, unknown>> {
  return {
    vectors_compared: compared,
    segments_exact: exactSegments,
    segments_walked: walkedSegments,
    num_candidates: candidates,
    estimated_recall: recall,
  };
}

/** A short ascending list of documents with their scores. */
class ScoredDocsMatcher implements Matcher {
  readonly cost: number;
  readonly #docs: Int32Array;
  readonly #scores: Float32Array;
  readonly #maxScore: number;
  #at = 0;

  constructor({ docs, scores }: NearestDocs, boost: number) {
    this.#docs = docs;
    this.#scores = scores.map((score) => score * boost);
    this.#maxScore = this.#scores.reduce((max, score) => Math.max(max, score), 0);
    this.cost = docs.length;
  }

  next(target: number): number {
    while (this.#at < this.#docs.length && this.#docs[this.#at]! < target) this.#at++;
    return this.#at < this.#docs.length ? this.#docs[this.#at]! : NO_MORE_DOCS;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    let count = 0;
    for (let doc = this.next(from); doc < to; doc = this.next(doc + 1)) {
      docs[count] = doc;
      if (scores !== null) scores[count] = this.#scores[this.#at]!;
      count++;
    }
    return count;
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (this.next(doc) !== doc) continue;
      docs[kept] = doc;
      if (scores !== null) scores[kept] = scores[i]! + this.#scores[this.#at]!;
      kept++;
    }
    return kept;
  }

  maxScore(): number {
    return this.#maxScore;
  }
}
