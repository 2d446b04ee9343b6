import { parseHighlight } from '../highlight/highlight-spec.js';
import type { JsonObject } from '../parse/options.js';
import type { ParseContext } from '../parsed-query.js';
import { parseSuggest } from '../suggest/suggest.js';
import { parseSourceSpec, parseFieldSpecs } from './fetch-spec.js';

/**
 * Parses the fetch options of a search body for their errors alone, so that those are found before any shard is asked.
 */
export function checkFetchOptions(body: JsonObject, context: ParseContext): void {
  if (body['_source'] !== undefined) parseSourceSpec(body['_source'], body, '_source');
  parseFieldSpecs(body, 'fields');
  parseFieldSpecs(body, 'docvalue_fields');
  if (body['suggest'] !== undefined) parseSuggest(body['suggest'], body);
  if (body['highlight'] !== undefined) parseHighlight(body['highlight'], body, context);
}
