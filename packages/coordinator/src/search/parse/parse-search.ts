import { checkBodyInOrder, parseSearchBody } from '@shoal/aggregations';
import { errors } from '@shoal/errors';
import { isPlainObject, parseJson, stringify, withScriptParams } from '@shoal/json';
import { checkSearchKeys, type ParseContext, withRetriever } from '@shoal/query';
import { withStoredScripts } from '@shoal/script';
import { validationError } from '../../bulk/validate-operation.js';
import { withPositions } from '../../error-position.js';
import { encodeUtf8 } from '../../json-bytes.js';
import { tokenName } from '../../token-names.js';
import { rankProblems } from './ranked-queries.js';
import type { SearchPlan } from './search-plan.js';
import type { SearchRequest } from './search-request.js';

type Body = Readonly<Record<string, unknown>>;

const EMPTY_BODY: Body = {};
const EMPTY_BYTES = encodeUtf8('{}');

function objectBody({ body: bytes, json }: SearchRequest): Body {
  if (bytes.length === 0) return EMPTY_BODY;
  const body = withScriptParams(json ?? parseJson(bytes), bytes);
  if (isPlainObject(body)) return body;
  throw errors.parsing(`Expected [START_OBJECT] but found [${tokenName(body)}]`, { meta: { line: 1, col: 1 } });
}

/** Sets exact totals for scrolls and integer totals, unless the body says otherwise. */
function exactTotals(request: SearchRequest, body: Body): Body {
  const needed = (request.totalHitsAsInt || request.scrollMs !== null) && body['track_total_hits'] === undefined;
  return needed && request.overrides['track_total_hits'] === undefined ? { track_total_hits: true } : {};
}

function mergedBody(body: Body, request: SearchRequest): Body {
  const added = { ...request.overrides, ...exactTotals(request, body) };
  for (const _ in added) return { ...body, ...added };
  return body;
}

/** Refuses unknown keys, unless a section that comes before them in the body is wrong itself. */
function checkKeys(body: Body, context: ParseContext): void {
  try {
    checkSearchKeys(body);
  } catch (error) {
    checkBodyInOrder(body, context);
    throw error;
  }
}

/** Parses a search request. Throws every error of the body. */
export function parseSearch(request: SearchRequest, context: ParseContext): SearchPlan {
  const original = objectBody(request);
  return withPositions(request.body, original, () => {
    const written = original['retriever'] === undefined ? original : withRetriever(original, request.overrides);
    checkKeys(written, context);
    const body = mergedBody(written, request);
    const search = withStoredScripts(context.storedScripts, () => parseSearchBody(body, context));
    const hasStoredScripts = context.storedScripts?.isUsed === true;
    const isUnchanged = body === original && !hasStoredScripts;
    const bytes = isUnchanged ? (request.body.length === 0 ? EMPTY_BYTES : request.body) : encodeUtf8(stringify(body));
    const plan: SearchPlan = { ...search, body: bytes, hasStoredScripts };
    checkTogether(request, plan, body);
    return plan;
  });
}

function scrollProblems(request: SearchRequest, plan: SearchPlan, body: Body): string[] {
  if (request.scrollMs === null) return [];
  const problems: string[] = [];
  if (plan.trackTotalHits === false || typeof body['track_total_hits'] === 'number')
    problems.push('disabling [track_total_hits] is not allowed in a scroll context');
  if (plan.from > 0) problems.push('using [from] is not allowed in a scroll context');
  if (plan.size === 0) problems.push('[size] cannot be [0] in a scroll context');
  if (plan.rescore.length > 0) problems.push('using [rescore] is not allowed in a scroll context');
  if (request.requestCache === true) problems.push('[request_cache] cannot be used in a scroll context');
  if (plan.pointInTime) problems.push('using [point in time] is not allowed in a scroll context');
  return problems;
}

function pointInTimeProblems(request: SearchRequest, plan: SearchPlan): string[] {
  if (!plan.pointInTime) {
    const isTieBroken = plan.orders?.some((spec) => spec.kind === 'doc' && spec.acrossShards) === true;
    return isTieBroken ? ['[_shard_doc] sort field cannot be used without [point in time]'] : [];
  }
  const problems: string[] = [];
  if (request.target.names.length > 0)
    problems.push('[indices] cannot be used with point in time. Do not specify any index with point in time.');
  if (request.namedIndicesOptions) problems.push('[indicesOptions] cannot be used with point in time');
  if (request.routing !== null) problems.push('[routing] cannot be used with point in time');
  if (request.preference !== null) problems.push('[preference] cannot be used with point in time');
  return problems;
}

/** Throws for options that are valid alone but not together. */
function checkTogether(request: SearchRequest, plan: SearchPlan, body: Body): void {
  if (request.namesSearchType === true && plan.knn.length > 0)
    throw errors.illegalArgument(
      'cannot set [search_type] when using [knn] search, since the search type is determined automatically',
    );
  if (request.totalHitsAsInt && typeof plan.trackTotalHits === 'number') {
    throw errors.illegalArgument(
      '[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ' +
        `${plan.trackTotalHits}`,
    );
  }
  const problems = [
    ...scrollProblems(request, plan, body),
    ...rankProblems(plan, request.scrollMs !== null),
    ...pointInTimeProblems(request, plan),
  ];
  if (problems.length > 0) throw validationError(problems);
}
