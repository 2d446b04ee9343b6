import { NO_MORE_DOCS } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import type { SegmentView } from '../../searcher.js';
import { DocMatcher, type DocIterator } from '../matchers/doc-matcher.js';
import type { PlanOf } from '../plan-of.js';
import { PostingsWalk } from '../matchers/postings-walk.js';
import { postingsOf, type Scratch } from '../scratch.js';
import { inverseDocumentFrequency, scoreOf, type TermScorer, termScorer } from '../similarity.js';
import { TermMatcher } from '../matchers/term-matcher.js';
import { unionMatcher } from '../matchers/union-matcher.js';
import type { WeightContext } from '../weight-context.js';

type Synonym = PlanOf<'synonym'>;

/**
 * Weight of several terms scored as one: frequencies add up, and the document frequency is that of the most frequent
 * term.
 */
export function synonymWeight(plan: Synonym, context: WeightContext): Weight {
  const scorer = context.needsScores ? scorerOfSynonym(plan, context) : null;
  return {
    matcher: (segment, needsScores) => synonymMatcher(plan, needsScores ? scorer : null, segment, context.scratch),
  };
}

/** Returns the scorer of a synonym; null when no document has the field. */
export function scorerOfSynonym(plan: Synonym, { statistics, boost }: WeightContext): TermScorer | null {
  const field = statistics.field(plan.field);
  if (field === null) return null;
  const docFreq = Math.max(...plan.terms.map((term) => statistics.docFreq(plan.field, term)));
  return termScorer(Math.fround(boost * plan.boost), inverseDocumentFrequency(docFreq, field.docCount), field, () => {
    const counts = plan.terms.map((term) => statistics.counts(plan.field, term));
    return [{ docFreq, totalTermFreq: counts.reduce((sum, { totalTermFreq }) => sum + totalTermFreq, 0) }];
  });
}

function synonymMatcher(
  plan: Synonym,
  scorer: TermScorer | null,
  { reader, maxDoc }: SegmentView,
  scratch: Scratch | undefined,
): Matcher | null {
  const terms = reader.terms(plan.field);
  if (terms === null) return null;
  const ordinals = plan.terms.map((term) => terms.lookup(term)).filter((ordinal) => ordinal >= 0);
  if (ordinals.length > 0) reader.notePostings?.(plan.field, scorer === null ? 'documents' : 'frequencies');
  if (scorer === null) return unionMatcher(terms, ordinals, maxDoc);
  const norms = reader.norms(plan.field)?.bytes ?? null;
  if (ordinals.length === 0) return null;
  if (ordinals.length === 1) return new TermMatcher(terms, ordinals[0]!, norms, scorer, 0, scratch);
  return new DocMatcher(
    synonymIterator(
      ordinals.map((ordinal) => new PostingsWalk(postingsOf(terms, ordinal, scratch))),
      norms,
      scorer,
    ),
  );
}

function synonymIterator(walks: readonly PostingsWalk[], norms: Uint8Array | null, scorer: TermScorer): DocIterator {
  return {
    cost: walks.reduce((sum, walk) => sum + walk.docFreq, 0),
    next: (target) => walks.reduce((first, walk) => Math.min(first, walk.advance(target)), NO_MORE_DOCS),
    score: (doc) => {
      let freq = 0;
      for (const walk of walks) if (walk.doc === doc) freq += walk.freq();
      return scoreOf(scorer, freq, norms === null ? 1 : norms[doc]!);
    },
  };
}
