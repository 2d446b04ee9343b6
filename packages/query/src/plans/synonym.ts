import { termsOfField } from '../percolate/required-terms.js';
import type { PlanOf } from '../execute/plan-of.js';
import { scorerOfSynonym, synonymWeight } from '../execute/weights/synonym.js';
import type { WeightContext } from '../execute/weight-context.js';
import { termMatches } from '../highlight/text-terms.js';
import { idfOf, walkTo, weightOfFreq } from './explain-frequency.js';
import { type ExplainPlace } from './explanation.js';
import { type Explanation, noMatch } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

function synonymFreq(plan: PlanOf<'synonym'>, place: ExplainPlace): number {
  return plan.terms.reduce((sum, term) => sum + (walkTo(plan.field, term, place)?.freq() ?? 0), 0);
}

function explainSynonym(plan: PlanOf<'synonym'>, context: WeightContext, place: ExplainPlace): Explanation {
  const scorer = scorerOfSynonym(plan, context);
  const freq = synonymFreq(plan, place);
  if (scorer === null || freq === 0) return noMatch('no matching term');
  const docFreq = Math.max(...plan.terms.map((term) => context.statistics.docFreq(plan.field, term)));
  return weightOfFreq(
    place.describe({ ...plan, boost: 1 }),
    plan.field,
    scorer,
    freq,
    [idfOf(scorer, docFreq)],
    'freq, occurrences of term within document',
    place,
  );
}

/** Terms at one position scored as one. */
export const synonymKind: PlanKind<PlanOf<'synonym'>> = {
  requiredTerms: ({ field, terms }, requirements) => termsOfField(field, terms, requirements),
  luceneName: 'SynonymQuery',
  weight: synonymWeight,
  describe: ({ field, terms }) => `Synonym(${terms.map((term) => `${field}:${term}`).join(' ')})`,
  explain: explainSynonym,
  textFinder: ({ field, terms }) => ({ fields: [field], find: (tokens) => termMatches(tokens, terms) }),
  visitScoredTerms({ field, terms }, visit) {
    for (const term of terms) visit(field, term);
  },
};
