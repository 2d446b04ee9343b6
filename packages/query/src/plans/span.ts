import type { PlanOf } from '../execute/plan-of.js';
import { spanTerms } from '../execute/positions/span-tree.js';
import { spanSource, spanWeight } from '../execute/weights/span.js';
import { textTerms, within } from '../highlight/text-terms.js';
import type { PlanKind } from './plan-kind.js';

/** Terms near each other, as a tree of spans. */
export const spanKind: PlanKind<PlanOf<'span'>> = {
  weight: spanWeight,
  describe: ({ kind, field }) => `${kind}(${field})`,
  textFinder: ({ field, tree }) => ({
    fields: [field],
    find(tokens) {
      const terms = spanTerms(tree, field).map(({ term }) => term);
      return within(tokens, terms, spanSource(tree, field, textTerms(tokens)).spans(0));
    },
  }),
};
