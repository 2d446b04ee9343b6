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
 * of the shard are those of the whole search. A search with `knn` is a global one whatever it asks for, as in 8.12.
 */
export function effectiveSearchType({
  request,
  plan,
  targets,
}: Pick<RunningSearch, 'request' | 'plan' | 'targets'>): SearchRequest['searchType'] {
  if (targets.length <= 1) return 'query_then_fetch';
  return plan.knn.length > 0 ? 'dfs_query_then_fetch' : request.searchType;
}
