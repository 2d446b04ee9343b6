import { isPlainObject, parseJson, stringify } from '@shoal/json';
import { type ParseContext, parseKnnSearch } from '@shoal/query';
import { withPositions } from '../../error-position.js';
import { encodeUtf8 } from '../../json-bytes.js';
import type { SearchRequest } from './search-request.js';

/** Returns the search that a request of `_knn_search` asks for. Throws errors in 8.12's words, with their places. */
export function knnSearchRequest(request: SearchRequest, context: ParseContext): SearchRequest {
  const { json: _, ...asked } = request;
  const body: unknown = request.body.length === 0 ? {} : parseJson(request.body);
  const search = isPlainObject(body)
    ? withPositions(request.body, body, () => parseKnnSearch(body, context))
    : parseKnnSearch(body, context);
  return { ...asked, body: encodeUtf8(stringify(search)) };
}
