import { numbersOfField } from '../percolate/required-terms.js';
import type { PlanOf } from '../execute/plan-of.js';
import { numbersWeight } from '../execute/weights/value.js';
import type { PlanKind } from './plan-kind.js';
import { booleanTerm } from './value.js';

/** Any of many numbers. */
export const numbersKind: PlanKind<PlanOf<'numbers'>> = {
  requiredTerms({ field, values }, requirements) {
    const ranges = values.map((value) => [Number(value), Number(value)] as const);
    return numbersOfField(field, ranges, requirements);
  },
  luceneName: 'PointInSetQuery',
  weight: numbersWeight,
  describe: ({ field, values }, { mapping }) => {
    if (mapping?.field(field)?.valueKind === 'boolean') return `${field}:(${[...values].map(booleanTerm).join(' ')})`;
    return values.length === 1 ? `${field}:[${values[0]} TO ${values[0]}]` : `${field}:{${[...values].join(' ')}}`;
  },
  scoresConstant: true,
};
