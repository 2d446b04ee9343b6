import { errors, isApiError } from '@shoal/errors';
import { isPlainObject, parseJson, withScriptParams } from '@shoal/json';
import { type ParseContext, parseQuery } from '@shoal/query';
import { withStoredScripts } from '@shoal/script';
import { withPositions } from '../../error-position.js';
import type { LookedUpBody } from './search-request.js';
import { tokenName } from '../../token-names.js';

/**
 * Parses a body that may only have `query` (count, explain, validate); null without a query. Stored scripts are
 * replaced by their text. Throws if the body is invalid.
 */
export function parseQueryOnly({ body: bytes, json }: LookedUpBody, context: ParseContext): unknown {
  if (bytes.length === 0) return null;
  const body = withScriptParams(json ?? parseJson(bytes), bytes);
  if (!isPlainObject(body))
    throw errors.parsing(`Expected [START_OBJECT] but found [${tokenName(body)}]`, { meta: { line: 1, col: 1 } });
  return withPositions(bytes, body, () => {
    for (const key of Object.keys(body)) {
      if (key !== 'query')
        throw errors.parsing(`request does not support [${key}]`, { location: { container: body, key, at: 'key' } });
    }
    const query = body['query'];
    if (query === undefined) return null;
    if (!isPlainObject(query))
      throw errors.parsing('[_na] query malformed, must start with start_object', {
        location: { container: body, key: 'query' },
      });
    withStoredScripts(context.storedScripts, () => parseWhole(query, context));
    return query;
  });
}

/** Types of errors of the parsers of queries besides parsing_exception. */
const WRAPPED: ReadonlySet<string> = new Set([
  'x_content_parse_exception',
  'illegal_argument_exception',
  'illegal_state_exception',
  'number_format_exception',
  'parse_exception',
]);

/** Parses the query; what is no parsing_exception is wrapped in one, at the place where the parser stood. */
function parseWhole(query: unknown, context: ParseContext): void {
  try {
    parseQuery(query, context);
  } catch (error) {
    if (!isApiError(error) || !WRAPPED.has(error.type)) throw error;
    const { isAppended: _, ...location } = error.parserAt ?? error.location ?? { container: {} };
    throw errors.parsing('Failed to parse', { cause: error, location });
  }
}
