import type { PlanOf } from '../execute/plan-of.js';
import { distinctTerms, spanTerms, spanText } from '../execute/positions/span-tree.js';
import { spanFrequency, spanScorer, spanSource, spanWeight } from '../execute/weights/span.js';
import type { WeightContext } from '../execute/weight-context.js';
import { textTerms, within } from '../highlight/text-terms.js';
import { formatFloat } from '@shoal/values';
import { idfOf, weightOfFreq } from './explain-frequency.js';
import type { ExplainPlace } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

function explainSpans(plan: PlanOf<'span'>, context: WeightContext, place: ExplainPlace): Explanation {
  const { statistics } = context;
  const scorer = spanScorer(plan, plan.tree, context);
  const freq = spanFrequency(plan, place.segment, place.doc);
  if (scorer === null || freq === 0) return noMatch('no matching term');
  const idfs = distinctTerms(plan.tree, plan.field)
    .filter(({ field, term }) => statistics.docFreq(field, term) > 0)
    .map(({ field, term }) => idfOf({ ...scorer, idf: statistics.idf(field, term) }, statistics.docFreq(field, term)));
  return weightOfFreq(
    place.describe({ ...plan, boost: 1 }),
    plan.field,
    scorer,
    freq,
    idfs.length === 1 ? idfs : [explanation(scorer.idf, 'idf, sum of:', idfs)],
    `phraseFreq=${formatFloat(freq)}`,
    place,
  );
}

/** Terms near each other, as a tree of spans. */
export const spanKind: PlanKind<PlanOf<'span'>> = {
  weight: spanWeight,
  describe: ({ field, tree }, { bothWays }) => spanText(tree, field, bothWays === true),
  explain: explainSpans,
  visitScoredTerms({ field, tree }, visit) {
    for (const one of spanTerms(tree, field)) visit(one.field, one.term);
  },
  textFinder: ({ field, tree }) => ({
    fields: [field],
    find(tokens) {
      const terms = spanTerms(tree, field).map(({ term }) => term);
      return within(tokens, terms, spanSource(tree, field, textTerms(tokens)).spans(0));
    },
  }),
};
