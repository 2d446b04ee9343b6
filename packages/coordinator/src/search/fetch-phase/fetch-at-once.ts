import type { RunningSearch } from '../running-search.js';

/** Hits that shards may render in vain: about what two messages between nodes cost. */
const VAIN_HITS_MAX = 40;

/** Of larger pages a shard that is asked again for more than its share would find and render too much twice. */
const PAGE_HITS_MAX = 100;

/**
 * Of a page that is spread evenly over the shards, a shard has more hits than its share and so many standard deviations
 * in one of forty searches.
 */
const DEVIATIONS = 2;

/**
 * How many hits of a page of `size` each of several shards finds and renders: more than one of them has on it, save
 * hardly ever.
 */
export function shareOf(size: number, shards: number): number {
  const share = size / shards;
  return Math.min(size, Math.ceil(share + DEVIATIONS * Math.sqrt(share * (1 - 1 / shards))) + 1);
}

/**
 * Whether each shard is to render its share of the page along with the query: a first page of a few shards on several
 * nodes, for which asking the winners' nodes again would take longer than the hits of the losers.
 */
export function fetchesAtOnce({ request, plan, targets }: RunningSearch): boolean {
  if (plan.size === 0 || plan.size > PAGE_HITS_MAX || plan.from > 0 || targets.length < 2) return false;
  if (targets.length * shareOf(plan.size, targets.length) - plan.size > VAIN_HITS_MAX) return false;
  if (request.scrollMs !== null || plan.gathersMore || plan.isCostlyToShow) return false;
  const first = targets[0]!.nodeIds[0];
  return targets.some(({ nodeIds }) => nodeIds[0] !== first);
}
