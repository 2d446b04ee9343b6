import { anyOf, termsOfField } from '../percolate/required-terms.js';
import type { PlanOf } from '../execute/plan-of.js';
import { combinedWeight } from '../execute/weights/combined-fields.js';
import { formatFloat } from '@shoal/values';
import { termMatches } from '../highlight/text-terms.js';
import type { PlanKind } from './plan-kind.js';

/** Any of the terms in any of the fields, scored as one field. */
export const combinedKind: PlanKind<PlanOf<'combined'>> = {
  requiredTerms: ({ fields, terms }, requirements) =>
    anyOf(fields.map(({ field }) => termsOfField(field, terms, requirements))),
  weight: combinedWeight,
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
