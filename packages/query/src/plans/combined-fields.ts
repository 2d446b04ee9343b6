import { anyOf, termsOfField } from '../percolate/required-terms.js';
import type { PlanOf } from '../execute/plan-of.js';
import type { WeightContext } from '../execute/weight-context.js';
import { combinedFrequency, combinedWeight } from '../execute/weights/combined-fields.js';
import { formatFloat } from '@shoal/values';
import { termMatches } from '../highlight/text-terms.js';
import { idfOf, scoreOfFreq } from './explain-frequency.js';
import type { ExplainPlace } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

function explainCombined(plan: PlanOf<'combined'>, context: WeightContext, place: ExplainPlace): Explanation {
  const found = combinedFrequency(plan, context, place.segment, place.doc);
  if (found === null) return noMatch('no matching term');
  const { scorer, docFreq, freq, norm } = found;
  const score = scoreOfFreq(scorer, freq, norm, [idfOf(scorer, docFreq)], `termFreq=${formatFloat(freq)}`);
  const text = place.describe({ ...plan, boost: 1 });
  return explanation(score.value, `weight(${text} in ${place.doc}), result of:`, [score]);
}

/** Any of the terms in any of the fields, scored as one field. */
export const combinedKind: PlanKind<PlanOf<'combined'>> = {
  requiredTerms: ({ fields, terms }, requirements) =>
    anyOf(fields.map(({ field }) => termsOfField(field, terms, requirements))),
  weight: combinedWeight,
  explain: explainCombined,
  describe({ fields, terms }) {
    const names = fields.map(({ field, weight }) => (weight === 1 ? field : `${field}^${formatFloat(weight)}`));
    return `CombinedFieldQuery((${names.join(' ')})(${terms.join(', ')}))`;
  },
  visitScoredTerms({ fields, terms }, visit) {
    for (const { field } of fields) for (const term of terms) visit(field, term);
  },
  textFinder: ({ fields, terms }) => ({
    fields: fields.map(({ field }) => field),
    isOneOfSeveral: true,
    find: (tokens) => termMatches(tokens, terms),
  }),
};
