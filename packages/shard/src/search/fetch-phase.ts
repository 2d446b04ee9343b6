import { decodeValue } from '@shoal/codec';
import { parseJson } from '@shoal/json';
import type { shard } from '@shoal/protocol';
import {
  decodeStatistics,
  fetchHits,
  type HitsRequest,
  parseContext,
  parseQuery,
  type ParsedQuery,
  type Progress,
  type Searcher,
} from '@shoal/query';
import { withFieldUses } from '../read/counted-searcher.js';
import type { SearcherLease } from '../shard-api.js';
import { compileRuntimeFields, runtimeSearcher } from './runtime-searcher.js';
import type { SearchSource } from './search-source.js';

/** Hits of a query phase whose documents are to be shown. */
export interface FetchTarget {
  /** Fetch options: those of a search, or of a part of one. */
  readonly shown: HitsRequest;
  readonly options: shard.SearchOptions;
  /** Time of the request, as `PlanContext.now`. */
  readonly now: () => number;
  /** Document numbers in the searcher, in the order of the answer. */
  readonly docs: Int32Array;
  /** Scores of `docs`; empty when not scored. */
  readonly scores: Float32Array;
  /** Sort values of each document; null without a sort. */
  readonly sortValues: readonly (readonly unknown[])[] | null;
  /** Whether the hits are those of the search itself, which show the values of `lookup` fields. */
  readonly showsLookups?: boolean;
  /** Path of the nested objects that `docs` are; null for documents. */
  readonly nestedPath: string | null;
}

/** Renders documents of a searcher as hits. */
export async function fetchDocuments(
  searcher: Searcher,
  target: FetchTarget,
  progress: Progress,
): Promise<Uint8Array[]> {
  const { options, now } = target;
  return fetchHits(searcher, target.shown, target, {
    now,
    parse: parseContext(options.allowExpensiveQueries),
    progress,
    withType: options.withType,
    showsQueryScores: options.includeNamedQueriesScore,
    showsLookups: target.showsLookups === true && options.showsLookups === true,
  });
}

/** Returns the filter of the alias that a search goes through; null for none. */
export function aliasFilterOf(
  target: shard.ShardTarget | undefined,
  { allowExpensiveQueries }: { readonly allowExpensiveQueries?: boolean },
): ParsedQuery | null {
  return target?.filter === undefined || target.filter.length === 0
    ? null
    : parseQuery(parseJson(target.filter), parseContext(allowExpensiveQueries));
}

/** Returns a copy of the bytes of numbers, so that they are aligned. */
function copyAligned(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer as ArrayBuffer;
}

/** Runs the fetch phase of a search on one shard: returns a JSON hit for each requested document, in their order. */
export async function executeFetchPhase(
  lease: SearcherLease,
  request: shard.FetchRequest,
  source: SearchSource,
  progress: Progress,
): Promise<Uint8Array[]> {
  const target: FetchTarget = {
    shown: {
      ...source.search,
      aliasFilter: aliasFilterOf(request.target, source.options),
      nearestKept: request.target?.nearest?.counts ?? null,
      statistics: request.statistics === undefined ? null : decodeStatistics(request.statistics),
    },
    options: source.options,
    now: () => request.nowMs,
    docs: new Int32Array(copyAligned(request.docs)),
    scores: new Float32Array(copyAligned(request.scores)),
    showsLookups: true,
    nestedPath: null,
    sortValues:
      request.sortValues.length === 0 ? null : (decodeValue(request.sortValues) as readonly (readonly unknown[])[]),
  };
  return withFieldUses(lease, source.search, async ({ searcher }) => {
    await compileRuntimeFields(searcher, source.search, progress);
    return fetchDocuments(runtimeSearcher(searcher, source.search), target, progress);
  });
}
