import type { PlanOf } from '../execute/plan-of.js';
import { coveringWeight } from '../execute/weights/covering.js';
import { anyMatching } from '../highlight/matching.js';
import type { PlanKind } from './plan-kind.js';

/** Documents that match at least as many plans as a numeric field of the document says. */
export const coveringKind: PlanKind<PlanOf<'covering'>> = {
  weight: coveringWeight,
  describe: ({ plans, minimumField }, { text }) =>
    `CoveringQuery(queries=[${plans.map(text).join(', ')}], minimumNumberMatch=long(${minimumField}))`,
  matching: ({ plans }, inner) => anyMatching(plans.map(inner), 1),
  sameDocuments: ({ plans }) => plans,
  scoredParts: ({ plans }) => plans,
};
