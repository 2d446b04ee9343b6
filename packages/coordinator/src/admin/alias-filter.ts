import { type ApiError, errors, isApiError, toApiError } from '@shoal/errors';
import { type ParsedQuery, parseContext, parseQuery, type Searcher, type SearchSettings } from '@shoal/query';
import type { IndexMetadata } from '@shoal/state';
import { withPositions } from '../error-position.js';
import { encodeJson } from '../json-bytes.js';

type Filter = Readonly<Record<string, unknown>>;

/** An index whose mapping the filter of an alias must fit, and the time of the request, UTC milliseconds. */
export interface FilteredIndex extends Pick<Searcher, 'mapping' | 'analysis'> {
  readonly meta: IndexMetadata;
  readonly nowMs: number;
}

/** Limits of searches by default: a filter that exceeds those of its index fails in searches. */
const SETTINGS: SearchSettings = {
  maxResultWindow: 10_000,
  maxInnerResultWindow: 100,
  maxRescoreWindow: 10_000,
  maxTermsCount: 65_536,
  maxRegexLength: 1000,
  maxClauseCount: 16_384,
  maxDocvalueFields: 100,
  maxScriptFields: 32,
  maxAnalyzedOffset: 1_000_000,
  maxSlicesPerScroll: 1024,
  defaultFields: ['*'],
  queryStringLenient: false,
  allowExpensiveQueries: true,
  similarity: () => null,
};

/** A shard of the index without documents. */
function emptySearcher({ meta, mapping, analysis }: FilteredIndex): Searcher {
  return {
    index: meta.name,
    indexUuid: meta.uuid,
    shard: 0,
    mapping,
    analysis,
    segments: [],
    maxDoc: 0,
    liveDocCount: 0,
    settings: SETTINGS,
    cache: { get: (_, make) => make().value, find: () => undefined },
    stored: () => {
      throw errors.illegalState('there are no documents');
    },
  };
}

/** The failure of a query itself, without the wrapping of each compound query around it. */
function innermost(error: unknown): ApiError {
  let found = toApiError(error);
  while (found.causedBy !== undefined && found.reason?.startsWith('failed to create query: ')) found = found.causedBy;
  // A query that looks up documents first, as terms do.
  const looksUp = found.type === 'unsupported_operation_exception' && found.reason === 'query must be rewritten first';
  return looksUp ? errors.refusedState('async actions are left after rewrite') : found;
}

function plan(query: ParsedQuery, index: FilteredIndex): void {
  query.plan({ searcher: emptySearcher(index), now: () => index.nowMs, nestedPath: null, innerHits: [] });
}

/**
 * Throws if the filter of an alias is not a query, or cannot be run on an index. Positions in the error count from the
 * start of the filter.
 */
export function checkAliasFilter(alias: string, filter: Filter, index: FilteredIndex | null): void {
  try {
    const query = withPositions(encodeJson(filter), filter, () => parseQuery(filter, parseContext()));
    if (index !== null) plan(query, index);
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw errors.illegalArgument(`failed to parse filter for alias [${alias}]`, { cause: innermost(error) });
  }
}
