import { errors } from '@shoal/errors';
import type { RunningSearch } from '../running-search.js';
import type { SearchRequest } from './search-request.js';

/** Parses `query_then_fetch` or `dfs_query_then_fetch`. */
export function parseSearchType(text: string): SearchRequest['searchType'] {
  if (text === 'query_then_fetch' || text === 'dfs_query_then_fetch') return text;
  throw errors.illegalArgument(`No search type for [${text}]`);
}

/**
 * Returns the type that a search runs as. With a single shard `dfs_query_then_fetch` is not needed, as the statistics
 * of the shard are those of the whole search.
 */
export function effectiveSearchType({
  request,
  targets,
}: Pick<RunningSearch, 'request' | 'targets'>): SearchRequest['searchType'] {
  return targets.length > 1 ? request.searchType : 'query_then_fetch';
}
