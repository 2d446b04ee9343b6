import type { CoordinatorContext } from '../context.js';
import type { CallContext, JsonAnswer } from '../call.js';
import { utf8 } from '../json-bytes.js';
import { stringify } from '@shoal/json';
import { parseQueryOnly } from './query-only-body.js';
import { parseContext, runSearch } from './search.js';
import { resolveTermsLookups } from './terms-lookup.js';
import { shardCountsJson } from './search-answer.js';
import type { SearchRequest } from './search-request.js';

/** Counts matches: a search for no hits with an exact total. */
export async function count(context: CoordinatorContext, request: SearchRequest, call: CallContext): Promise<JsonAnswer> {
  const query = parseQueryOnly(await resolveTermsLookups(context, request.body, call), parseContext(context));
  const body = { size: 0, track_total_hits: true, ...(query === null ? {} : { query }), ...request.overrides };
  const answer = await runSearch(context, { ...request, body: utf8(stringify(body)), overrides: {} }, call);
  const early = request.overrides['terminate_after'] === undefined ? '' : `"terminated_early":${answer.terminatedEarly === true},`;
  return { status: 200, chunks: [utf8(`{${early}"count":${answer.total?.value ?? 0},"_shards":${shardCountsJson(answer.shards)}}`)] };
}
