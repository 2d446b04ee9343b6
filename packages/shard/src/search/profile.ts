import type { AggregationProfile } from '@shoal/aggregations';
import { stringify } from '@shoal/json';
import { describePlan, measurePlan, type Plan, profileFacts, type Progress, type Searcher } from '@shoal/query';

const COUNTERS = [
  'set_min_competitive_score',
  'match',
  'shallow_advance',
  'next_doc',
  'score',
  'compute_max_score',
  'advance',
  'build_scorer',
  'create_weight',
  'count_weight',
];

const NANOS_PER_MILLI = 1e6;

/**
 * Returns `searches` of a shard's profile as JSON. The query as a whole has the time of the phase. Its parts are
 * matched together in windows of documents, so they have no times of their own. Each part is run once more by itself,
 * and shows that time.
 */
export function profileOf(
  searcher: Searcher,
  plan: Plan,
  progress: Progress,
  aggregations: readonly AggregationProfile[],
): Uint8Array {
  const nanos = nanosOf(progress);
  const collector = {
    name: 'QueryPhaseCollector',
    reason: 'search_query_phase',
    time_in_nanos: nanos,
    children: [{ name: 'SimpleTopScoreDocCollector', reason: 'search_top_hits', time_in_nanos: nanos }],
  };
  const searches = [{ query: [profilePlan(plan, searcher, progress, nanos)], rewrite_time: 0, collector: [collector] }];
  return Buffer.from(stringify({ searches, aggregations }));
}

const nanosOf = (progress: Progress): number => Math.round((progress.elapsedMs?.() ?? 0) * NANOS_PER_MILLI);

/** Returns the profile of one plan. `nanos` is its known time; null times it here. */
function profilePlan(
  plan: Plan,
  searcher: Searcher,
  progress: Progress,
  nanos: number | null,
): Record<string, unknown> {
  if (plan.kind === 'named') return profilePlan(plan.plan, searcher, progress, nanos);
  progress.check();
  const startedAt = nanosOf(progress);
  const { segments, matchers, matches } = measurePlan(plan, searcher);
  const took = nanosOf(progress) - startedAt;
  const counts = new Map([
    ['create_weight', 1],
    ['build_scorer', segments],
    ['next_doc', matches + matchers],
  ]);
  const times = new Map([['next_doc', took]]);
  const { name, parts } = profileFacts(plan);
  const children = parts.map((child) => profilePlan(child, searcher, progress, null));
  return {
    type: name,
    description: describePlan(plan, { mapping: searcher.mapping, bothWays: true }),
    time_in_nanos: nanos ?? took,
    breakdown: Object.fromEntries(
      COUNTERS.flatMap((name) => [
        [`${name}_count`, counts.get(name) ?? 0],
        [name, times.get(name) ?? 0],
      ]),
    ),
    ...(children.length === 0 ? {} : { children }),
  };
}
