import { errors } from '@shoal/errors';
import type { RunningSearch } from '../running-search.js';
import type { SearchRequest } from './search-request.js';

/** `query_then_fetch` or `dfs_query_then_fetch`. */
export function parseSearchType(text: string): SearchRequest['searchType'] {
  if (text === 'query_then_fetch' || text === 'dfs_query_then_fetch') return text;
  throw errors.illegalArgument(`No search type for [${text}]`);
}

/**
 * The type that a search runs as: the counts of a single shard are those of all shards, so there is nothing to gather.
 */
export function effectiveSearchType({
  request,
  targets,
}: Pick<RunningSearch, 'request' | 'targets'>): SearchRequest['searchType'] {
  return targets.length > 1 ? request.searchType : 'query_then_fetch';
}
