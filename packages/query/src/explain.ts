import { describePlan } from './describe.js';
import { type GlobalStatistics, shardStatistics } from './execute/statistics.js';
import { weightOf } from './execute/weight.js';
import type { WeightContext } from './execute/weight-context.js';
import { formatFloat } from '@shoal/values';
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

function explanationJson({ value, description, details }: Explanation): Record<string, unknown> {
  return { value: Number(formatFloat(value)), description, details: details.map(explanationJson) };
}

/** Explains the score of one document of the shard as the API shows it, and returns whether the plan matches it. */
export function explainDoc(
  plan: Plan,
  searcher: Searcher,
  doc: number,
): { readonly matched: boolean; readonly explanation: Record<string, unknown> } {
  const explanation = explainPlan(plan, searcher, doc);
  return { matched: explanation.match, explanation: explanationJson(explanation) };
}

function explain(plan: Plan, context: WeightContext, place: ExplainPlace): Explanation {
  return kindOf(plan).explain?.(plan, context, place) ?? explainAsWhole(plan, context, place);
}
