import type { Search } from '@shoal/aggregations';
import { createWeight, mayMatchNested, type Plan, type Searcher, type Weight } from '@shoal/query';

/**
 * Returns the exact number of hits if it is known without a search: for all documents, or for a term in a shard without
 * deletes. Null otherwise.
 */
export function knownTotal(searcher: Searcher, body: Search, plan: Plan, weight: Weight): number | null {
  if (body.totalHitsMax === 0) return 0;
  if (body.postFilter !== null || body.minScore !== null) return null;
  if (body.terminateAfter > 0) return totalBeyondEnd(searcher, plan);
  if (plan.kind === 'all') return searcher.liveDocCount;
  if (searcher.segments.some(({ reader }) => reader.roots !== null)) return null;
  return countOf(weight, searcher);
}

function countOf(weight: Weight, { segments }: Searcher): number | null {
  if (weight.count === undefined) return null;
  let total = 0;
  for (const segment of segments) {
    const count = segment.live === null ? weight.count(segment) : -1;
    if (count < 0) return null;
    total += count;
  }
  return total;
}

/**
 * The number of hits that a search tells although it ends before them: which searches do is what 8.12 makes of their
 * queries. Those that could match nested documents have a filter there, too, and so no known number.
 */
function totalBeyondEnd(searcher: Searcher, plan: Plan): number | null {
  const core = coreOf(plan);
  if (core === null) return null;
  if (searcher.mapping.hasNested && mayMatchNested(core, searcher.mapping)) return null;
  if (core.kind === 'all') return searcher.liveDocCount;
  return countOf(createWeight(core, searcher, { needsScores: false }), searcher);
}

/** What Lucene leaves of a query that is counted: without scores, and without clauses that all documents match. */
function coreOf(plan: Plan): Plan | null {
  switch (plan.kind) {
    case 'constant':
    case 'named':
      return coreOf(plan.plan);
    case 'disMax':
      return plan.plans.length === 1 ? coreOf(plan.plans[0]!) : null;
    case 'bool':
      return onlyClause(plan);
    default:
      return plan;
  }
}

function onlyClause({
  must,
  filter,
  should,
  mustNot,
  minimumShouldMatch,
}: Extract<Plan, { kind: 'bool' }>): Plan | null {
  if (mustNot.length > 0) return null;
  const required = [...must, ...filter];
  if (should.length > 0)
    return required.length === 0 && should.length === 1 && minimumShouldMatch === 1 ? coreOf(should[0]!) : null;
  const others = required.filter(({ kind }) => kind !== 'all');
  if (others.length > 1) return null;
  return others.length === 0 ? (required[0] ?? null) : coreOf(others[0]!);
}
