import type { AggregationProfile } from '@shoal/aggregations';
import { stringify } from '@shoal/json';
import { type Plan, profileQuery, type Progress, type Searcher } from '@shoal/query';

/** Returns `searches` and `aggregations` of a shard's profile as JSON. */
export function profileOf(
  searcher: Searcher,
  plan: Plan,
  progress: Progress,
  aggregations: readonly AggregationProfile[],
): Uint8Array {
  const { nanos, json } = profileQuery(plan, searcher, progress);
  const collector = {
    name: 'QueryPhaseCollector',
    reason: 'search_query_phase',
    time_in_nanos: nanos,
    children: [{ name: 'SimpleTopScoreDocCollector', reason: 'search_top_hits', time_in_nanos: nanos }],
  };
  const searches = [{ query: [json], rewrite_time: 0, collector: [collector] }];
  return Buffer.from(stringify({ searches, aggregations }));
}
