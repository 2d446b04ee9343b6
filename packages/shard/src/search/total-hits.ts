import type { Search } from '@shoal/aggregations';
import type { Plan, Searcher, Weight } from '@shoal/query';

/**
 * Returns the exact number of hits if it is known without a search: for all documents, or for a term in a shard without
 * deletes. Null otherwise.
 */
export function knownTotal(searcher: Searcher, body: Search, plan: Plan, weight: Weight): number | null {
  if (body.totalHitsMax === 0) return 0;
  if (body.postFilter !== null || body.minScore !== null) return null;
  if (plan.kind === 'all') return searcher.liveDocCount;
  if (weight.count === undefined) return null;
  let total = 0;
  for (const segment of searcher.segments) {
    if (segment.live !== null || segment.reader.roots !== null) return null;
    const count = weight.count(segment);
    if (count < 0) return null;
    total += count;
  }
  return total;
}
