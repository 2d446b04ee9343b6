import { stringify } from '@shoal/json';
import { validationError } from '../bulk/validate-operation.js';
import { ACTIONS, accessOf, limitsBytes } from '../access.js';
import type { CoordinatorContext } from '../context.js';
import type { CallContext, JsonAnswer } from '../call.js';
import { placeOf } from '../get/get.js';
import { get } from '../get/get.js';
import { encodeUtf8 } from '../json-bytes.js';
import { clusterParseContext } from '../search/search.js';
import { resolveTermsLookups } from '../search/rewrite/terms-lookup.js';
import { parseQueryOnly } from '../search/parse/query-only-body.js';
import { OPEN_ONLY, searchTargets } from '@shoal/state';
import { callShard } from './broadcast.js';
import type { ExplainRequest } from './admin-requests.js';

/** Answer of a shard to the call `explain`. */
interface ShardExplanation {
  readonly exists: boolean;
  readonly matched: boolean;
  readonly explanation?: unknown;
}

async function documentJson(context: CoordinatorContext, request: ExplainRequest, call: CallContext): Promise<string> {
  if (request.source === null && request.storedFields === null) return '';
  const answer = await get(
    context,
    {
      index: request.index,
      id: request.id,
      routing: request.routing,
      source: request.source ?? false,
      storedFields: request.storedFields,
      version: null,
      versionType: 'internal',
      realtime: false,
      refresh: false,
      preference: request.preference,
      bareSource: false,
    },
    call,
    ACTIONS.explain,
  );
  const { _index, _id, _version, ...rest } = JSON.parse(Buffer.concat(answer.chunks).toString('utf8')) as Record<
    string,
    unknown
  >;
  return `,"get":${stringify(rest)}`;
}

function aliasFilter(context: CoordinatorContext, name: string, call: CallContext): unknown {
  return (
    searchTargets(
      context.cluster.state(),
      [name],
      OPEN_ONLY,
      null,
      accessOf(call, ACTIONS.explain),
      context.clock.now(),
    )[0]?.filter ?? null
  );
}

/** Returns the answer of `_explain`: how a document scores for a query, or why it does not match. */
export async function explain(
  context: CoordinatorContext,
  request: ExplainRequest,
  call: CallContext,
): Promise<JsonAnswer> {
  const query =
    request.queryParameter ??
    parseQueryOnly(await resolveTermsLookups(context, request, call), clusterParseContext(context));
  if (query === null || query === undefined) throw validationError(['query is missing']);
  const place = placeOf(
    context.cluster.state(),
    request.index,
    request.id,
    request.routing,
    context.clock.now(),
    accessOf(call, ACTIONS.explain),
  );
  const body = { nowMs: context.clock.now(), id: request.id, query, filter: aliasFilter(context, request.index, call) };
  const answer = (await callShard(
    context,
    place.index,
    place.shard,
    'explain',
    body,
    limitsBytes(place.limits, context.clock.now()),
  )) as ShardExplanation;
  const type = call.withType ? '"_type":"_doc",' : '';
  const head =
    `{"_index":${JSON.stringify(place.index.name)},${type}"_id":${JSON.stringify(request.id)},` +
    `"matched":${answer.matched}`;
  if (!answer.exists) return { status: 404, chunks: [encodeUtf8(`${head}}`)] };
  const shown = answer.explanation === undefined ? '' : `,"explanation":${stringify(answer.explanation)}`;
  return { status: 200, chunks: [encodeUtf8(`${head}${shown}${await documentJson(context, request, call)}}`)] };
}
