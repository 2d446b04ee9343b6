import { termsOfField } from '../percolate/required-terms.js';
import type { PlanOf } from '../execute/plan-of.js';
import { scorerOfTerm, termWeight } from '../execute/weights/term.js';
import type { WeightContext } from '../execute/weight-context.js';
import { termMatches } from '../highlight/text-terms.js';
import { idfOf, walkTo, weightOfFreq } from './explain-frequency.js';
import { type ExplainPlace } from './explanation.js';
import { type Explanation, noMatch } from './explanation-tree.js';
import { addressText, hasTerm, isNestedField } from './field-facts.js';
import type { PlanKind } from './plan-kind.js';

function explainTerm(plan: PlanOf<'term'>, context: WeightContext, place: ExplainPlace): Explanation {
  const walk = walkTo(plan.field, plan.term, place);
  const scorer = scorerOfTerm(plan, context);
  if (walk === null || scorer === null) return noMatch('no matching term');
  const docFreq = plan.docFreq ?? context.statistics.docFreq(plan.field, plan.term);
  return weightOfFreq(
    `${plan.field}:${plan.term}`,
    plan.field,
    scorer,
    walk.freq(),
    [idfOf(scorer, docFreq)],
    'freq, occurrences of term within document',
    place,
  );
}

/** BM25 of one term. */
export const termKind: PlanKind<PlanOf<'term'>> = {
  requiredTerms: ({ field, term }, requirements) => termsOfField(field, [term], requirements),
  luceneName: 'TermQuery',
  weight: termWeight,
  describe: (plan, { mapping }) => addressText(plan, mapping) ?? `${plan.field}:${plan.term}`,
  explain: explainTerm,
  mayMatchNested: ({ field }, mapping) => isNestedField(field, mapping),
  canMatch: ({ field, term }, searcher) => hasTerm(searcher, field, term),
  textFinder: ({ field, term }) => ({ fields: [field], find: (tokens) => termMatches(tokens, [term]) }),
  visitScoredTerms: ({ field, term }, visit) => visit(field, term),
};
