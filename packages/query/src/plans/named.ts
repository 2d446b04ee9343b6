import type { PlanOf } from '../execute/plan-of.js';
import type { PlanKind } from './plan-kind.js';

/** A plan with the `_name` that matched_queries shows. */
export const namedKind: PlanKind<PlanOf<'named'>> = {
  requiredTerms: ({ plan }, { of }) => of(plan),
  weight: ({ plan }, context) => context.weight(plan, context),
  describe: ({ plan }, { text }) => text(plan),
  explain: ({ plan }, context, place) => place.explain(plan, context, place),
  mayMatchNested: ({ plan }, _mapping, inner) => inner(plan),
  canMatch: ({ plan }, _searcher, inner) => inner(plan),
  matching: ({ plan }, inner) => inner(plan),
  highlightedParts: ({ plan }) => [plan],
  sameDocuments: ({ plan }) => [plan],
  scoredParts: ({ plan }) => [plan],
};
