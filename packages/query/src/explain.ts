import { describePlan } from './describe.js';
import { type GlobalStatistics, shardStatistics } from './execute/statistics.js';
import { weightOf } from './execute/weight.js';
import type { WeightContext } from './execute/weight-context.js';
import type { Plan } from './plan.js';
import { kindOf } from './plans/catalogue.js';
import { explainAsWhole, type Explanation, type ExplainPlace } from './plans/explanation.js';
import type { Searcher } from './searcher.js';

/** Explains the score of one document of the shard. */
export function explainPlan(
  plan: Plan,
  searcher: Searcher,
  doc: number,
  statistics: GlobalStatistics | null = null,
): Explanation {
  const segment = searcher.segments.findLast((view) => view.docBase <= doc)!;
  const context: WeightContext = {
    searcher,
    statistics: shardStatistics(searcher, statistics),
    boost: 1,
    needsScores: true,
    weight: weightOf,
  };
  return explain(plan, context, {
    searcher,
    segment,
    doc: doc - segment.docBase,
    explain,
    describe: (inner) => describePlan(inner, { mapping: searcher.mapping }),
  });
}

function explain(plan: Plan, context: WeightContext, place: ExplainPlace): Explanation {
  return kindOf(plan).explain?.(plan, context, place) ?? explainAsWhole(plan, context, place);
}
