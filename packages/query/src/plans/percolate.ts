import type { PlanOf } from '../execute/plan-of.js';
import { percolateWeight } from '../execute/weights/percolate.js';
import type { WeightContext } from '../execute/weight-context.js';
import { type ExplainPlace, scoreOfDoc } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

/** The score, and below it why the stored query scores the first document. */
function explainPercolate(plan: PlanOf<'percolate'>, context: WeightContext, place: ExplainPlace): Explanation {
  const score = scoreOfDoc(context.weight(plan, context).matcher(place.segment, true), place.doc);
  const query = place.segment.reader.binary(plan.field)?.get(place.doc) ?? null;
  const stored = query === null ? null : plan.percolation.explain(query);
  return score === null || stored === null ? noMatch('PercolateQuery') : explanation(score, 'PercolateQuery', [stored]);
}

/** Documents whose stored query matches documents that are given. */
export const percolateKind: PlanKind<PlanOf<'percolate'>> = {
  luceneName: 'PercolateQuery',
  weight: percolateWeight,
  describe: ({ field }) => `PercolateQuery{field=${field}}`,
  explain: explainPercolate,
};
