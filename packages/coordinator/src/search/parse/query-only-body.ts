import { errors } from '@shoal/errors';
import { isPlainObject, parseJson } from '@shoal/json';
import { type ParseContext, parseQuery } from '@shoal/query';
import { withPositions } from '../../error-position.js';
import type { LookedUpBody } from '../rewrite/terms-lookup.js';
import { tokenName } from '../../token-names.js';

/**
 * Parses a body that may only have `query` (count, explain, validate); null without a query. Throws if the body is
 * invalid.
 */
export function parseQueryOnly({ body: bytes, json }: LookedUpBody, context: ParseContext): unknown {
  if (bytes.length === 0) return null;
  const body = json ?? parseJson(bytes);
  if (!isPlainObject(body))
    throw errors.parsing(`Expected [START_OBJECT] but found [${tokenName(body)}]`, { meta: { line: 1, col: 1 } });
  return withPositions(bytes, body, () => {
    for (const key of Object.keys(body)) {
      if (key !== 'query')
        throw errors.parsing(`request does not support [${key}]`, { location: { container: body, key, at: 'key' } });
    }
    const query = body['query'];
    if (query === undefined || query === null) return null;
    parseQuery(query, context);
    return query;
  });
}
