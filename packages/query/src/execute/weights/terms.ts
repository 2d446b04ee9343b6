import { bitSet, type TermsReader } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import type { SegmentView } from '../../searcher.js';
import { BitSetMatcher } from '../matchers/bit-set-matcher.js';
import { withConstantScore } from './constant.js';
import type { PlanOf } from '../plan-of.js';
import { markPostings } from '../score.kernel.js';
import { TermMatcher } from '../matchers/term-matcher.js';
import type { WeightContext } from '../weight-context.js';

/** Weight of documents with any of many terms; constant score. */
export function termsWeight(plan: PlanOf<'terms'>, context: WeightContext): Weight {
  const unscored: Weight = {
    matcher: ({ reader, maxDoc }: SegmentView) => {
      const terms = reader.terms(plan.field);
      if (terms === null) return null;
      const ordinals = plan.terms.map((term) => terms.lookup(term)).filter((ordinal) => ordinal >= 0);
      return unionMatcher(terms, ordinals, maxDoc);
    },
  };
  return withConstantScore(unscored, Math.fround(context.boost * plan.boost));
}

/** Returns documents with any of some terms, by ordinal, without scores; null when there is none. */
export function unionMatcher(terms: TermsReader, ordinals: ArrayLike<number>, maxDoc: number): Matcher | null {
  if (ordinals.length === 0) return null;
  if (ordinals.length === 1) return new TermMatcher(terms, ordinals[0]!, null, null, 0);
  const bits = bitSet(maxDoc);
  let postings = terms.postings(ordinals[0]!);
  for (let i = 0; i < ordinals.length; i++) {
    if (i > 0) postings = terms.postings(ordinals[i]!, postings);
    while (postings.nextBlock() > 0) markPostings(postings.docs, 0, postings.size, 0, bits.words);
  }
  return new BitSetMatcher(bits, 0);
}
