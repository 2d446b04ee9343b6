import type { PlanOf } from '../execute/plan-of.js';
import type { IntervalTree } from '../execute/positions/interval-tree.js';
import { intervalFrequency, intervalSource, intervalsWeight, saturation } from '../execute/weights/intervals.js';
import type { WeightContext } from '../execute/weight-context.js';
import { termMatches, textTerms, within } from '../highlight/text-terms.js';
import type { ExplainPlace } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';
import { intervalText } from './interval-text.js';
import type { PlanKind } from './plan-kind.js';

function intervalTerms(tree: IntervalTree): string[] {
  switch (tree.kind) {
    case 'term':
      return [tree.term];
    case 'none':
      return [];
    case 'extend':
    case 'maxGaps':
    case 'filter':
    case 'script':
    case 'repeat':
      return intervalTerms(tree.source);
    default:
      return tree.sources.flatMap(intervalTerms);
  }
}

function explainIntervals(plan: PlanOf<'intervals'>, context: WeightContext, place: ExplainPlace): Explanation {
  const freq = intervalFrequency(plan, place.segment, place.doc);
  if (freq === 0) return noMatch('no matching intervals');
  const boost = Math.fround(context.boost * plan.boost);
  return explanation(
    saturation(freq, boost),
    'Saturation function on interval frequency, computed as w * S / (S + k) from:',
    [
      explanation(boost, 'w, weight of this function'),
      explanation(1, 'k, pivot feature value that would give a score contribution equal to w/2'),
      explanation(freq, `S, the sloppy frequency of the interval query ${place.describe({ ...plan, boost: 1 })}`),
    ],
  );
}

/** Terms in an order and within distances of each other. */
export const intervalsKind: PlanKind<PlanOf<'intervals'>> = {
  weight: intervalsWeight,
  describe: ({ field, tree }) => `${field}:${intervalText(tree)}`,
  explain: explainIntervals,
  textFinder: ({ field, tree }) => ({
    fields: [field],
    find: (tokens) => within(tokens, intervalTerms(tree), intervalSource(tree, textTerms(tokens)).spans(0)),
    findPlainly: (tokens) => termMatches(tokens, intervalTerms(tree)),
  }),
};
