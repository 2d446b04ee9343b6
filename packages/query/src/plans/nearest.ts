import { formatFloat } from '@shoal/values';
import type { PlanOf } from '../execute/plan-of.js';
import { nearestWeight } from '../execute/weights/nearest.js';
import { scoreOfDoc } from './explanation.js';
import { explanation, noMatch } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

/** The first element of the vector as Java prints it. */
function firstElement({ vector, layout }: PlanOf<'nearest'>): string {
  const bytes = vector.slice();
  return layout.vectors!.element === 'byte'
    ? String(new Int8Array(bytes.buffer)[0])
    : formatFloat(new Float32Array(bytes.buffer)[0]!);
}

/** The documents whose vectors are nearest to a vector. */
export const nearestKind: PlanKind<PlanOf<'nearest'>> = {
  luceneName: 'DocAndScoreQuery',
  weight: nearestWeight,
  describe: (plan) => {
    const kind = plan.layout.vectors!.element === 'byte' ? 'Byte' : 'Float';
    return `ProfilingKnn${kind}VectorQuery:${plan.field}[${firstElement(plan)},...][${plan.candidates}]`;
  },
  wrapsBoost: 'always',
  mayMatchNested: ({ isNested }) => isNested,
  explain: (plan, context, { segment, doc }) => {
    const score = scoreOfDoc(context.weight(plan, context).matcher(segment, true), doc);
    const top = plan.isGlobal ? 'top k documents' : `top ${plan.candidates}`;
    return score === null ? noMatch(`not in ${top}`) : explanation(score, `within ${top}`);
  },
};
