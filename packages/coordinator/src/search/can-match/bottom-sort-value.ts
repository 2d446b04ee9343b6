import type { QueryPhaseRequest } from '../query-phase/phase-request.js';
import type { SearchPlan } from '../parse/search-plan.js';
import { decodeHits } from '../query-phase/shard-hits.js';
import type { BottomSortValue, CanMatchResults } from './shard-skipping.js';

/** Whether the search only needs hits. Aggregations, exact totals and scrolls need every shard. */
function wantsHitsOnly(plan: SearchPlan, { options, keepContext }: QueryPhaseRequest): boolean {
  return !plan.gathersMore && plan.trackTotalHits !== true && !options.isScroll && (keepContext || options.isPit);
}

/** Inserts a value into the sorted list of the `limit` best values; `sign` is 1 for ascending, -1 for descending. */
function insert(best: number[], value: number, sign: number, limit: number): void {
  let at = best.length;
  while (at > 0 && sign * best[at - 1]! > sign * value) at--;
  if (at >= limit) return;
  best.splice(at, 0, value);
  if (best.length > limit) best.pop();
}

/** Makes the bottom value of a search; null if every shard has to be searched. */
export function bottomSortValue(
  plan: SearchPlan,
  phase: QueryPhaseRequest,
  canMatch: CanMatchResults,
): BottomSortValue | null {
  const first = plan.orders?.[0];
  const limit = plan.from + plan.size;
  if (first?.kind !== 'field' || limit === 0 || !wantsHitsOnly(plan, phase)) return null;
  const sign = first.order === 'desc' ? -1 : 1;
  const best: number[] = [];
  let total = 0;
  let isComparable = true;
  return {
    add({ result }) {
      total += result.total;
      for (const [value] of decodeHits(result, 0).sortValues ?? []) {
        if (typeof value === 'number') insert(best, value, sign, limit);
        else if (value !== null) isComparable = false;
      }
    },
    isBeyond(target) {
      const bounds = canMatch.bounds[target];
      if (!bounds || !isComparable || best.length < limit) return false;
      if (typeof plan.trackTotalHits === 'number' && total <= plan.trackTotalHits) return false;
      return sign > 0 ? bounds.min > best[limit - 1]! : bounds.max < best[limit - 1]!;
    },
  };
}
