import type { PlanOf } from '../execute/plan-of.js';
import { sliceWeight } from '../execute/weights/slice.js';
import type { PlanKind } from './plan-kind.js';

/** One of several disjoint slices of all documents. */
export const sliceKind: PlanKind<PlanOf<'slice'>> = {
  weight: sliceWeight,
  describe: ({ id, max }) => `SliceQuery[id=${id}, max=${max}]`,
};
