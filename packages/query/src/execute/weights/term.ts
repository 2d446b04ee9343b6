import type { SegmentReader } from '@shoal/segments';
import type { Weight } from '../../matcher.js';
import type { PlanOf } from '../plan-of.js';
import type { Scratch } from '../scratch.js';
import { inverseDocumentFrequency, type TermScorer, termScorer } from '../similarity.js';
import { TermMatcher } from '../matchers/term-matcher.js';
import type { Statistics } from '../statistics.js';
import type { WeightContext } from '../weight-context.js';

/** Weight of one term, scored by BM25; unscored documents of its posting list if no scores are needed. */
export function termWeight(plan: PlanOf<'term'>, context: WeightContext): Weight {
  const scorer = context.needsScores ? scorerOfTerm(plan, context) : null;
  return {
    matcher: (segment, needsScores) =>
      termMatcher(segment.reader, plan.field, plan.term, needsScores ? scorer : null, 0, context.scratch),
    count: (segment) => {
      const terms = segment.reader.terms(plan.field);
      const ordinal = terms === null ? -1 : terms.lookup(plan.term);
      return ordinal < 0 ? 0 : terms!.docFreq(ordinal);
    },
  };
}

/** Returns the scorer of a term with the statistics of the request; null when no document has the field. */
export function scorerOfTerm(plan: PlanOf<'term'>, { statistics, boost }: WeightContext): TermScorer | null {
  const field = statistics.field(plan.field);
  if (field === null) return null;
  const docFreq = plan.docFreq ?? statistics.docFreq(plan.field, plan.term);
  return termScorer(Math.fround(boost * plan.boost), inverseDocumentFrequency(docFreq, field.docCount), field, () => [
    { docFreq, totalTermFreq: plan.totalTermFreq ?? totalTermFreq(plan, docFreq, statistics) },
  ]);
}

/** A blended document frequency may exceed the occurrences of the term itself. */
function totalTermFreq({ field, term }: PlanOf<'term'>, docFreq: number, statistics: Statistics): number {
  return Math.max(docFreq, statistics.counts(field, term).totalTermFreq);
}

/** Returns the postings of a term in one segment as a matcher; null when the segment lacks the term. */
export function termMatcher(
  reader: SegmentReader,
  field: string,
  term: string,
  scorer: TermScorer | null,
  constantScore: number,
  scratch?: Scratch,
): TermMatcher | null {
  const terms = reader.terms(field);
  const ordinal = terms === null ? -1 : terms.lookup(term);
  if (ordinal < 0) return null;
  reader.notePostings?.(field, scorer === null ? 'documents' : 'frequencies');
  const norms = scorer === null ? null : reader.norms(field);
  return new TermMatcher(terms!, ordinal, norms === null ? null : norms.bytes, scorer, constantScore, scratch);
}
