import type { PlanOf } from '../execute/plan-of.js';
import { existsWeight } from '../execute/weights/exists.js';
import type { PlanKind } from './plan-kind.js';

/** Documents with a value of a field. */
export const existsKind: PlanKind<PlanOf<'exists'>> = {
  luceneName: 'FieldExistsQuery',
  weight: existsWeight,
  describe: ({ field }) => `FieldExistsQuery [field=${field}]`,
};
