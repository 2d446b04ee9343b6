import { extractedTermsField } from '@shoal/mapping';
import type { Matcher, Weight } from '../../matcher.js';
import type { SegmentView } from '../../searcher.js';
import { CheckedMatcher } from '../matchers/checked-matcher.js';
import { unionMatcher } from '../matchers/union-matcher.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';

/** Running a stored query costs as much as this many documents of another matcher. */
const PRICE = 50;

/** Weight of the documents whose stored query matches documents that are given; scored by the best of them. */
export function percolateWeight(plan: PlanOf<'percolate'>, context: WeightContext): Weight {
  const boost = Math.fround(context.boost * plan.boost);
  return {
    matcher(segment, needsScores) {
      const candidates = candidatesOf(plan, segment);
      if (candidates === null) return null;
      const column = segment.reader.binary(plan.field);
      return new CheckedMatcher(candidates, segment.live, PRICE, (doc) => {
        const query = column?.get(doc) ?? null;
        if (query === null) return null;
        if (!needsScores) return plan.percolation.matches(query) ? 0 : null;
        const score = plan.percolation.score(query);
        return score === null ? null : Math.fround(score * boost);
      });
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
