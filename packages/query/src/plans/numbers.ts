import type { PlanOf } from '../execute/plan-of.js';
import { numbersWeight } from '../execute/weights/value.js';
import type { PlanKind } from './plan-kind.js';

/** Any of many numbers. */
export const numbersKind: PlanKind<PlanOf<'numbers'>> = {
  luceneName: 'PointInSetQuery',
  weight: numbersWeight,
  describe: ({ field, values }) =>
    values.length === 1 ? `${field}:[${values[0]} TO ${values[0]}]` : `${field}:{${[...values].join(' ')}}`,
  scoresConstant: true,
};
