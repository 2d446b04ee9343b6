import { termsOfField } from '../percolate/required-terms.js';
import type { PlanOf } from '../execute/plan-of.js';
import { termsWeight } from '../execute/weights/terms.js';
import { termMatches } from '../highlight/text-terms.js';
import { hasTerm, isNestedField } from './field-facts.js';
import type { PlanKind } from './plan-kind.js';

/** Any of many terms, with a constant score. */
export const termsKind: PlanKind<PlanOf<'terms'>> = {
  requiredTerms: ({ field, terms }, requirements) => termsOfField(field, terms, requirements),
  luceneName: 'TermInSetQuery',
  weight: termsWeight,
  describe: ({ field, terms }) => `${field}:(${[...new Set(terms)].sort().join(' ')})`,
  mayMatchNested: ({ field }, mapping) => isNestedField(field, mapping),
  canMatch: ({ field, terms }, searcher) => terms.some((term) => hasTerm(searcher, field, term)),
  textFinder: ({ field, terms }) => ({ fields: [field], find: (tokens) => termMatches(tokens, terms) }),
};
