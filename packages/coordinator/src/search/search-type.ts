import { errors } from '@shoal/errors';
import type { SearchRequest } from './search-request.js';

/** `query_then_fetch` or `dfs_query_then_fetch`. */
export function parseSearchType(text: string): SearchRequest['searchType'] {
  if (text === 'query_then_fetch' || text === 'dfs_query_then_fetch') return text;
  throw errors.illegalArgument(`No search type for [${text}]`);
}
