import type { PlanOf } from '../execute/plan-of.js';
import { stringify } from '@shoal/json';
import { termFinder } from '../execute/dictionary/find-terms.js';
import {
  hasConstantScore,
  multiTermWeight,
  rewrittenTerms,
  visitRewrittenTerms,
} from '../execute/weights/multi-term.js';
import { predicateMatches } from '../highlight/text-terms.js';
import { explainAsWhole } from './explanation.js';
import { patternText } from './pattern-text.js';
import type { PlanKind } from './plan-kind.js';

/** Terms that match a predicate, found through the dictionary. */
export const multiTermKind: PlanKind<PlanOf<'multiTerm'>> = {
  luceneName: 'MultiTermQueryConstantScoreBlendedWrapper',
  weight: multiTermWeight,
  describe: ({ field, match }) => `${field}:${patternText(match)}`,
  scoresConstant: true,
  visitScoredTerms: visitRewrittenTerms,
  explain: (plan, context, place) =>
    hasConstantScore(plan, context)
      ? explainAsWhole(plan, context, place)
      : place.explain(rewrittenTerms(plan, context), context, place),
  textFinder({ field, match }) {
    const finder = termFinder(match);
    const name = stringify(match);
    return { fields: [field], find: (tokens) => predicateMatches(tokens, (term) => finder.matches(term), name) };
  },
};
