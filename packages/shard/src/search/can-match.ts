import { parseJson } from '@shoal/json';
import type { shard } from '@shoal/protocol';
import {
  boolPlan,
  canMatch,
  parseContext,
  parseQuery,
  type Plan,
  type PlanContext,
  planQuery,
  type Searcher,
  type SortSpec,
} from '@shoal/query';
import type { SearcherLease } from '../shard-api.js';
import { runtimeSearcher } from './runtime-searcher.js';
import type { SearchSource } from './search-source.js';

/** Answer of a shard to the can_match phase. */
export interface CanMatchAnswer {
  /** False if no document matches, deleted ones included. */
  readonly matches: boolean;
  /** Bounds of the first sort field's values; null if unknown. */
  readonly bounds: { readonly min: number; readonly max: number } | null;
}

/** Returns whether a sort compares values as they are stored, with documents without a value last. */
function isPlainSort({ mode, nested, missing, numericType, order }: Extract<SortSpec, { kind: 'field' }>): boolean {
  const takesBound = mode === null || mode === (order === 'asc' ? 'min' : 'max');
  return (
    takesBound &&
    nested === null &&
    numericType === null &&
    (missing === '_last' || missing === null || missing === undefined)
  );
}

/** Returns the smallest and largest value of a field over all segments; null if unknown. */
function boundsOf(searcher: Searcher, field: string): CanMatchAnswer['bounds'] {
  if (searcher.mapping.field(field)?.runtime !== undefined) return null;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const { reader } of searcher.segments) {
    const column = reader.numbers(field);
    if (column === null || column.docsWithField === 0) continue;
    if (!column.isExact || Number.isNaN(column.min) || Number.isNaN(column.max)) return null;
    min = Math.min(min, column.min);
    max = Math.max(max, column.max);
  }
  return min <= max ? { min, max } : null;
}

function sortBounds([first]: readonly SortSpec[], searcher: Searcher): CanMatchAnswer['bounds'] {
  return first?.kind === 'field' && isPlainSort(first) ? boundsOf(searcher, first.field) : null;
}

/**
 * Runs the can_match phase on one shard. Tells, without searching, whether the shard can have matches, and between
 * which values they would be sorted.
 */
export function canMatchShard(
  lease: SearcherLease,
  target: shard.ShardTarget,
  { search, options: { allowExpensiveQueries } }: SearchSource,
  nowMs: number,
): CanMatchAnswer {
  const searcher = runtimeSearcher(lease.searcher, search);
  // Terms and bounds are of all documents, so skipping a shard could reveal documents that the caller may not see. For
  // such a caller only an empty shard is skipped.
  if (searcher.hidesDocuments === true) return { matches: searcher.liveDocCount > 0, bounds: null };
  const context: PlanContext = {
    searcher,
    now: () => nowMs,
    nestedPath: null,
    innerHits: [],
    allowExpensiveQueries,
  };
  const plans: Plan[] = [];
  if (search.query !== null) plans.push(planQuery(search.query, context));
  if (target.filter !== undefined && target.filter.length > 0)
    plans.push(planQuery(parseQuery(parseJson(target.filter), parseContext(allowExpensiveQueries)), context));
  const matches = searcher.liveDocCount > 0 && canMatch(boolPlan({ filter: plans }), searcher);
  return { matches, bounds: sortBounds(search.sort, searcher) };
}
