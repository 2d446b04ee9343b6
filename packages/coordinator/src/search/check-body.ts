import type { CoordinatorContext } from '../context.js';
import { parseQueryOnly } from './parse/query-only-body.js';
import { parseSearch } from './parse/parse-search.js';
import type { SearchRequest } from './parse/search-request.js';
import { clusterParseContext } from './search.js';

/** Throws what a search would throw for its body and options alone, without a look at indices or documents. */
export function checkSearch(context: CoordinatorContext, request: SearchRequest): void {
  parseSearch(request, clusterParseContext(context));
}

/** As `checkSearch`, of a body that may only have `query` (`count`, `explain`). */
export function checkQuery(context: CoordinatorContext, body: Uint8Array): void {
  parseQueryOnly({ body }, clusterParseContext(context));
}
