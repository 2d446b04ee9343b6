import { type AggregationTree, parseAggregations } from '@shoal/aggregations';
import { errors } from '@shoal/errors';
import type { SearchOptions } from '@shoal/protocol';
import {
  isByScore,
  type ParseContext,
  type ParsedQuery,
  parseQuery,
  parseRescore,
  parseSort,
  type Rescore,
  type SortSpec,
} from '@shoal/query';
import { parseTimeValue } from '@shoal/values';

export type SearchJson = Readonly<Record<string, unknown>>;

/** What the query phase of a shard takes from a search body. */
export interface SearchBody {
  readonly query: ParsedQuery | null;
  readonly postFilter: ParsedQuery | null;
  /** Empty when hits are ordered by score. */
  readonly sort: readonly SortSpec[];
  readonly searchAfter: readonly unknown[] | null;
  /** Totals are exact up to here; Infinity for exact ones, 0 for none. */
  readonly totalHitsMax: number;
  readonly trackScores: boolean;
  readonly minScore: number | null;
  /** 0 for no limit. */
  readonly terminateAfter: number;
  readonly timeoutMs: number | null;
  readonly aggregations: AggregationTree | null;
  readonly rescore: readonly Rescore[];
  readonly collapseField: string | null;
  readonly slice: { readonly id: number; readonly max: number } | null;
  readonly profile: boolean;
  readonly suggest: SearchJson | null;
}

/** Hits are counted up to this many unless a request says otherwise. */
const TOTAL_HITS_MAX = 10_000;

/** Reads a search body that the coordinator has checked. */
export function readSearchBody(body: SearchJson, options: SearchOptions, context: ParseContext): SearchBody {
  const sort = sortOf(body, options, context);
  const aggregations = body['aggs'] ?? body['aggregations'];
  return {
    query: optionalQuery(body['query'], context),
    postFilter: optionalQuery(body['post_filter'], context),
    sort,
    searchAfter: (body['search_after'] as readonly unknown[] | undefined) ?? null,
    totalHitsMax: totalHitsMax(body['track_total_hits']),
    trackScores: body['track_scores'] === true,
    minScore: typeof body['min_score'] === 'number' ? Math.fround(body['min_score']) : null,
    terminateAfter: Number(body['terminate_after'] ?? 0),
    timeoutMs: timeoutOf(body['timeout']),
    aggregations:
      aggregations === undefined || isLaterPage(options) ? null : parseAggregations(aggregations, body, context),
    rescore: parseRescore(body['rescore'], context),
    collapseField: collapseField(body['collapse']),
    slice: (body['slice'] as { id: number; max: number } | undefined) ?? null,
    profile: body['profile'] === true,
    suggest: isLaterPage(options) ? null : ((body['suggest'] as SearchJson | undefined) ?? null),
  };
}

function isLaterPage(options: SearchOptions): boolean {
  return options.after !== undefined;
}

function optionalQuery(json: unknown, context: ParseContext): ParsedQuery | null {
  return json === undefined || json === null ? null : parseQuery(json, context);
}

/** With a point in time `_shard_doc` breaks ties of a sort. */
function sortOf(body: SearchJson, options: SearchOptions, context: ParseContext): readonly SortSpec[] {
  const sort = parseSort(body['sort'], context);
  if (isByScore(sort)) return body['search_after'] === undefined ? [] : sort;
  const hasTieBreaker = sort.some((spec) => spec.kind === 'doc' && spec.acrossShards);
  return options.isPit && !hasTieBreaker ? [...sort, { kind: 'doc', order: 'asc', acrossShards: true }] : sort;
}

function totalHitsMax(value: unknown): number {
  if (value === undefined) return TOTAL_HITS_MAX;
  if (value === true || value === 'true' || value === -1) return Infinity;
  return value === false || value === 'false' ? 0 : Number(value);
}

function timeoutOf(value: unknown): number | null {
  if (value === undefined || value === null || value === -1 || value === '-1') return null;
  return parseTimeValue(String(value), 'timeout');
}

function collapseField(json: unknown): string | null {
  if (json === undefined || json === null) return null;
  const { field } = json as { field?: unknown };
  if (typeof field !== 'string') throw errors.illegalArgument('Required [field]');
  return field;
}
