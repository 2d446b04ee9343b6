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
import type { SearchSource } from './search-source.js';

/** What a shard says before it is searched. */
export interface MatchForecast {
  /** False: no document matches, deleted ones included. */
  readonly matches: boolean;
  /** Bounds of the first sort field's values; null: unknown. */
  readonly bounds: { readonly min: number; readonly max: number } | null;
}

/** Documents without a value come last and values are compared as they are. */
function isPlainSort({ mode, nested, missing, numericType, order }: Extract<SortSpec, { kind: 'field' }>): boolean {
  const takesBound = mode === null || mode === (order === 'asc' ? 'min' : 'max');
  return (
    takesBound &&
    nested === null &&
    numericType === null &&
    (missing === '_last' || missing === null || missing === undefined)
  );
}

/** Smallest and largest value of a field over all segments. */
function boundsOf(searcher: Searcher, field: string): MatchForecast['bounds'] {
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

function sortBounds([first]: readonly SortSpec[], searcher: Searcher): MatchForecast['bounds'] {
  return first?.kind === 'field' && isPlainSort(first) ? boundsOf(searcher, first.field) : null;
}

/**
 * Tells without searching whether a shard can have matches of a request, and between which values they would be sorted.
 */
export function forecastMatches(
  lease: SearcherLease,
  target: shard.ShardTarget,
  { search, options: { allowExpensiveQueries } }: SearchSource,
  nowMs: number,
): MatchForecast {
  const { searcher } = lease;
  // Terms and bounds are those of all documents: whether a shard is skipped must not tell of those that the caller may
  // not see.
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
