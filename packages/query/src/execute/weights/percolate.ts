import { NO_MORE_DOCS, type SegmentReader } from '@shoal/segments';
import { extractedTermsField } from '@shoal/mapping';
import type { Matcher, Weight } from '../../matcher.js';
import type { Percolation } from '../../percolate/percolation-api.js';
import type { Plan } from '../../plan.js';
import type { SegmentView } from '../../searcher.js';
import { unionMatcher } from '../matchers/union-matcher.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';

/** Running a stored query costs as much as this many documents of another matcher. */
const COST = 50;

/** Weight of the documents whose stored query matches documents that are given; scored by the best of them. */
export function percolateWeight(plan: PlanOf<'percolate'>, context: WeightContext): Weight {
  const boost = Math.fround(context.boost * plan.boost);
  return {
    matcher(segment, needsScores) {
      const candidates = candidatesOf(plan, segment);
      return candidates === null ? null : new PercolateMatcher(plan, segment, candidates, needsScores ? boost : null);
    },
  };
}

/** Returns the documents whose stored query requires a term that the given documents have. */
function candidatesOf({ field, percolation }: PlanOf<'percolate'>, { reader, maxDoc }: SegmentView): Matcher | null {
  const name = extractedTermsField(field);
  const terms = reader.terms(name);
  if (terms === null) return null;
  const ordinals = percolation.terms.map((term) => terms.lookup(term)).filter((ordinal) => ordinal >= 0);
  if (ordinals.length === 0) return null;
  reader.notePostings?.(name, 'documents');
  return unionMatcher(terms, ordinals, maxDoc);
}

/** Documents among candidates whose stored query matches. Deleted documents are left out before, as they cost most. */
class PercolateMatcher implements Matcher {
  readonly cost: number;
  readonly #candidates: Matcher;
  readonly #percolation: Percolation<Plan>;
  readonly #live: SegmentView['live'];
  readonly #column: ReturnType<SegmentReader['binary']>;
  /** Boost of scores; null if no scores are asked for. */
  readonly #boost: number | null;

  constructor(plan: PlanOf<'percolate'>, segment: SegmentView, candidates: Matcher, boost: number | null) {
    this.#candidates = candidates;
    this.#percolation = plan.percolation;
    this.#live = segment.live;
    this.#column = segment.reader.binary(plan.field);
    this.#boost = boost;
    this.cost = Math.min(NO_MORE_DOCS - 1, candidates.cost * COST);
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
      const score = this.#score(docs[i]!);
      if (score === null) continue;
      docs[kept] = docs[i]!;
      if (scores !== null) scores[kept] = scores[i]! + score;
      kept++;
    }
    return kept;
  }

  /** Returns the score of a document, 0 if none is asked for; null if its query does not match. */
  #score(doc: number): number | null {
    if (this.#live !== null && !this.#live.get(doc)) return null;
    const query = this.#column?.get(doc) ?? null;
    if (query === null) return null;
    if (this.#boost === null) return this.#percolation.matches(query) ? 0 : null;
    const score = this.#percolation.score(query);
    return score === null ? null : Math.fround(score * this.#boost);
  }

  next(target: number): number {
    return this.#candidates.next(target);
  }

  maxScore(): number {
    return Infinity;
  }
}
