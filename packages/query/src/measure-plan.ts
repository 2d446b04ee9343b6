import { collectBits } from './execute/matchers/gather.js';
import { createWeight } from './execute/weight.js';
import type { Plan } from './plan.js';
import type { Searcher } from './searcher.js';

/**
 * Measures of a plan that was run by itself: segments searched, and documents matched in them (deleted ones included).
 */
export interface PlanMeasure {
  readonly segments: number;
  /** Number of segments in which something could match. */
  readonly matchers: number;
  readonly matches: number;
  /** What the plan's kind shows besides; null for nothing. */
  readonly debug: Readonly<Record<string, unknown>> | null;
}

/** Runs a plan over all documents of a searcher, for profiles. */
export function measurePlan(plan: Plan, searcher: Searcher): PlanMeasure {
  const weight = createWeight(plan, searcher, { needsScores: false });
  let matchers = 0;
  let matches = 0;
  for (const segment of searcher.segments) {
    const matcher = weight.matcher(segment, false);
    if (matcher === null) continue;
    matchers++;
    matches += collectBits(matcher, segment.maxDoc).cardinality();
  }
  return { segments: searcher.segments.length, matchers, matches, debug: weight.debug?.() ?? null };
}
