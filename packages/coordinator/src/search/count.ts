import type { CoordinatorContext } from '../context.js';
import type { CallContext, JsonAnswer } from '../call.js';
import { encodeUtf8 } from '../json-bytes.js';
import { stringify } from '@shoal/json';
import type { ParseContext } from '@shoal/query';
import { parseQueryOnly } from './parse/query-only-body.js';
import { allowsExpensiveQueries, clusterParseContext, runSearch } from './search.js';
import { hasOverrides } from './targets/recent-sources.js';
import { mayLookUp, resolveTermsLookups } from './rewrite/terms-lookup.js';
import { shardCountsJson } from './search-answer.js';
import { type SearchRequest, withBody } from './parse/search-request.js';

/** Makes the search body of a count. */
async function searchBody(
  context: CoordinatorContext,
  request: SearchRequest,
  parsing: ParseContext,
  call: CallContext,
): Promise<Uint8Array> {
  const query = parseQueryOnly(await resolveTermsLookups(context, request, call), parsing);
  return encodeUtf8(
    stringify({ size: 0, track_total_hits: true, ...(query === null ? {} : { query }), ...request.overrides }),
  );
}

/** Returns the search body of a recent count with the same body, if its query needs no other documents. */
async function recentSearchBody(
  context: CoordinatorContext,
  request: SearchRequest,
  isLookedUp: boolean,
  call: CallContext,
): Promise<Uint8Array> {
  const { counts } = context.sources;
  const key =
    hasOverrides(request) || isLookedUp
      ? null
      : counts.keyOf(allowsExpensiveQueries(context) ? 'all' : 'cheap', request.body);
  const known = key === null ? undefined : counts.get(key);
  if (known) return known;
  const parsing = clusterParseContext(context);
  const body = await searchBody(context, request, parsing, call);
  // A stored script may change while the body of the count does not.
  if (key !== null && parsing.storedScripts?.isUsed !== true) counts.put(key, body);
  return body;
}

const NO_OVERRIDES: SearchRequest['overrides'] = {};

/** Counts matches by a search without hits and with an exact total. */
export async function count(
  context: CoordinatorContext,
  request: SearchRequest,
  call: CallContext,
): Promise<JsonAnswer> {
  // Only the plan of a body without lookups is kept for the next count.
  const isLookedUp = mayLookUp(request.body);
  const body = await recentSearchBody(context, request, isLookedUp, call);
  const answer = await runSearch(context, withBody(request, { body, isLookedUp }, NO_OVERRIDES), call);
  const early =
    request.overrides['terminate_after'] === undefined ? '' : `"terminated_early":${answer.terminatedEarly === true},`;
  return {
    status: 200,
    chunks: [encodeUtf8(`{${early}"count":${answer.total?.value ?? 0},"_shards":${shardCountsJson(answer.shards)}}`)],
  };
}
