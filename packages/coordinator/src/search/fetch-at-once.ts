import type { RunningSearch } from './running-search.js';

/** Hits that shards may render in vain: about what two messages between nodes cost. */
const RENDERED_HITS_MAX = 40;

/** Parts of a hit that cost more than reading its source. */
const COSTLY = ['"highlight"', '"inner_hits"', '"script_fields"', '"explain"'];

/**
 * Whether each shard is to render its own page along with the query: a small first page of a few shards on several nodes,
 * for which asking the winners' nodes again would take longer than the hits of the losers.
 */
export function fetchesAtOnce({ request, plan, targets }: RunningSearch): boolean {
  if (plan.size === 0 || plan.from > 0 || targets.length < 2 || targets.length * plan.size > RENDERED_HITS_MAX) return false;
  if (request.scrollMs !== null || plan.aggregations !== null || plan.hasSuggest || plan.profile || plan.collapse !== null || plan.hasRescore) return false;
  const first = targets[0]!.nodeIds[0];
  if (targets.every(({ nodeIds }) => nodeIds[0] === first)) return false;
  const body = Buffer.from(plan.body.buffer, plan.body.byteOffset, plan.body.length);
  return !COSTLY.some((key) => body.includes(key));
}
