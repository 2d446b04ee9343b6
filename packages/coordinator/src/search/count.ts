import type { CoordinatorContext } from '../context.js';
import type { CallContext, JsonAnswer } from '../call.js';
import { encodeUtf8 } from '../json-bytes.js';
import { type JsonObject, stringify } from '@shoal/json';
import type { ParseContext } from '@shoal/query';
import { parseQueryOnly } from './parse/query-only-body.js';
import { allowsExpensiveQueries, clusterParseContext, runSearch } from './search.js';
import { hasOverrides } from './targets/recent-sources.js';
import { mayLookUp, resolveTermsLookups } from './rewrite/terms-lookup.js';
import { shardCountsJson } from './search-answer.js';
import { type SearchRequest, withBody } from './parse/search-request.js';

/** The search body of a count. */
interface CountBody {
  readonly body: Uint8Array;
  /** The same as JSON, where it was made just now. */
  readonly json?: JsonObject;
}

/** Makes the search body of a count. */
async function searchBody(
  context: CoordinatorContext,
  request: SearchRequest,
  parsing: ParseContext,
  call: CallContext,
): Promise<CountBody> {
  const query = parseQueryOnly(await resolveTermsLookups(context, request, call), parsing);
  const json = { size: 0, track_total_hits: true, ...(query === null ? {} : { query }), ...request.overrides };
  return { body: encodeUtf8(stringify(json)), json };
}

/** Returns the search body of a recent count with the same body, if its query needs no other documents. */
async function recentSearchBody(
  context: CoordinatorContext,
  request: SearchRequest,
  isLookedUp: boolean,
  call: CallContext,
): Promise<CountBody> {
  const { counts } = context.sources;
  const key =
    hasOverrides(request) || isLookedUp
      ? null
      : counts.keyOf(allowsExpensiveQueries(context) ? 'all' : 'cheap', request.body);
  const known = key === null ? undefined : counts.get(key);
  if (known) return { body: known };
  const parsing = clusterParseContext(context);
  const made = await searchBody(context, request, parsing, call);
  // A stored script may change while the body of the count does not.
  if (key !== null && parsing.storedScripts?.isUsed !== true) counts.put(key, made.body);
  return made;
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
  const { body, json } = await recentSearchBody(context, request, isLookedUp, call);
  const answer = await runSearch(context, withBody(request, { body, json, isLookedUp }, NO_OVERRIDES), call);
  const early =
    request.overrides['terminate_after'] === undefined ? '' : `"terminated_early":${answer.terminatedEarly === true},`;
  return {
    status: 200,
    chunks: [encodeUtf8(`{${early}"count":${answer.total?.value ?? 0},"_shards":${shardCountsJson(answer.shards)}}`)],
  };
}
