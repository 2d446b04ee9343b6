import type { QueryPhaseRequest } from '../query-phase/phase-request.js';
import type { SearchPlan } from '../parse/search-plan.js';
import { decodeHits } from '../query-phase/shard-hits.js';
import type { BottomValue, Forecast } from './sparing.js';

/** Only hits may be asked for: whatever else a search gathers needs every shard. */
function wantsHitsOnly(plan: SearchPlan, { options, keepContext }: QueryPhaseRequest): boolean {
  return !plan.gathersMore && plan.trackTotalHits !== true && !options.isScroll && (keepContext || options.isPit);
}

/** Puts a value in its place among the `limit` best, `sign` 1 for ascending. */
function insert(best: number[], value: number, sign: number, limit: number): void {
  let at = best.length;
  while (at > 0 && sign * best[at - 1]! > sign * value) at--;
  if (at >= limit) return;
  best.splice(at, 0, value);
  if (best.length > limit) best.pop();
}

/** Keeps the first sort values of the best hits so far; null where every shard has to be searched. */
export function bottomValue(plan: SearchPlan, phase: QueryPhaseRequest, forecast: Forecast): BottomValue | null {
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
      const bounds = forecast.bounds[target];
      if (!bounds || !isComparable || best.length < limit) return false;
      if (typeof plan.trackTotalHits === 'number' && total <= plan.trackTotalHits) return false;
      return sign > 0 ? bounds.min > best[limit - 1]! : bounds.max < best[limit - 1]!;
    },
  };
}
