import type { PlanOf } from '../execute/plan-of.js';
import type { IntervalTree } from '../execute/positions/interval-tree.js';
import { intervalSource, intervalsWeight } from '../execute/weights/intervals.js';
import { textTerms, within } from '../highlight/text-terms.js';
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
    case 'repeat':
      return intervalTerms(tree.source);
    default:
      return tree.sources.flatMap(intervalTerms);
  }
}

/** Terms in an order and within distances of each other. */
export const intervalsKind: PlanKind<PlanOf<'intervals'>> = {
  weight: intervalsWeight,
  describe: ({ kind, field }) => `${kind}(${field})`,
  textFinder: ({ field, tree }) => ({
    fields: [field],
    find: (tokens) => within(tokens, intervalTerms(tree), intervalSource(tree, textTerms(tokens)).spans(0)),
  }),
};
