import type { RunningSearch } from '../running-search.js';

/** Limit for hits that shards render in vain: their cost is about that of two messages between nodes. */
const VAIN_HITS_MAX = 40;

/** Limit for the page size. On larger pages, a shard that is asked again would find and render too many hits twice. */
const PAGE_HITS_MAX = 100;

/**
 * Standard deviations above its expected share of a page that a shard renders. If hits are spread evenly, a shard has
 * more in about one of forty searches.
 */
const DEVIATIONS = 2;

/**
 * Returns how many hits of a page of `size` each shard finds and renders: its expected share plus `DEVIATIONS` standard
 * deviations.
 */
export function shareOf(size: number, shards: number): number {
  const share = size / shards;
  return Math.min(size, Math.ceil(share + DEVIATIONS * Math.sqrt(share * (1 - 1 / shards))) + 1);
}

/**
 * Whether each shard renders its share of the page along with the query phase. True for a first page of few shards on
 * several nodes, where a fetch phase costs more than rendering hits that are not on the page.
 */
export function fetchesAtOnce({ request, plan, targets }: RunningSearch): boolean {
  if (plan.size === 0 || plan.size > PAGE_HITS_MAX || plan.from > 0 || targets.length < 2) return false;
  if (targets.length * shareOf(plan.size, targets.length) - plan.size > VAIN_HITS_MAX) return false;
  if (request.scrollMs !== null || plan.gathersMore || plan.isCostlyToShow) return false;
  const first = targets[0]!.nodeIds[0];
  return targets.some(({ nodeIds }) => nodeIds[0] !== first);
}
