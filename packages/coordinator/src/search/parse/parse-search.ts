import { type AggregationTree, parseAggregations } from '@shoal/aggregations';
import { errors } from '@shoal/errors';
import { isPlainObject, parseJson, stringify } from '@shoal/json';
import { checkFetchOptions, type ParseContext, type SortSpec, isByScore, parseQuery, parseSort } from '@shoal/query';
import { parseTimeValue } from '@shoal/values';
import { validationError } from '../../bulk/validate-operation.js';
import { positioned } from '../../error-position.js';
import { utf8 } from '../../json-bytes.js';
import { tokenName } from '../../token-names.js';
import { checkSearchKeys } from './body-keys.js';
import { bodyBoolean, bodyInteger, bodyNumber } from './body-values.js';
import { parseCollapse } from './parse-collapse.js';
import { SIZE_DEFAULT, type SearchPlan, TRACK_TOTAL_HITS_DEFAULT } from './search-plan.js';
import type { SearchRequest } from './search-request.js';
import { parseSlice } from './slices.js';

type Body = Readonly<Record<string, unknown>>;

const EMPTY_BODY: Body = {};
const EMPTY_BYTES = utf8('{}');

function objectBody(bytes: Uint8Array): Body {
  if (bytes.length === 0) return EMPTY_BODY;
  const body = parseJson(bytes);
  if (isPlainObject(body)) return body;
  throw errors.parsing(`Expected [START_OBJECT] but found [${tokenName(body)}]`, { meta: { line: 1, col: 1 } });
}

function parseFrom(body: Body): number {
  const from = bodyInteger(body, 'from', 0);
  if (from < 0 && from !== -1) throw errors.illegalArgument(`[from] parameter cannot be negative but was [${from}]`);
  if (from === -1 && body['from'] !== undefined)
    throw errors.illegalArgument('[from] parameter cannot be negative but was [-1]');
  return from;
}

function parseSize(body: Body): number {
  const size = bodyInteger(body, 'size', SIZE_DEFAULT);
  if (size < 0) throw errors.illegalArgument(`[size] parameter cannot be negative, found [${size}]`);
  return size;
}

function parseTrackTotalHits(body: Body): boolean | number {
  const value = body['track_total_hits'];
  if (value === undefined) return TRACK_TOTAL_HITS_DEFAULT;
  if (typeof value === 'boolean' || value === 'true' || value === 'false') return String(value) === 'true';
  const limit = bodyInteger(body, 'track_total_hits', 0);
  if (limit === -1) return false;
  if (limit < -1)
    throw errors.illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${limit}`);
  return limit;
}

function parseTerminateAfter(body: Body): number {
  const terminateAfter = bodyInteger(body, 'terminate_after', 0);
  if (terminateAfter < 0) throw errors.illegalArgument('terminateAfter must be > 0');
  return terminateAfter;
}

function parseIndicesBoost(body: Body): [string, number][] {
  const value = body['indices_boost'];
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (!isPlainObject(entry)) {
      throw errors.parsing(`Expected [START_OBJECT] in [indices_boost] but found [${tokenName(entry)}]`, {
        location: { container: body, key: 'indices_boost' },
      });
    }
    return Object.entries(entry).map(([pattern, boost]): [string, number] => [pattern, bodyNumber(boost)]);
  });
}

/** Ties of a sort over a point in time are broken by shard and document, so that pages can go on from any hit. */
const SHARD_DOC: SortSpec = { kind: 'doc', order: 'asc', acrossShards: true };

function sortSpecs(body: Body, withPointInTime: boolean, context: ParseContext): readonly SortSpec[] | null {
  if (body['sort'] === undefined) return null;
  const specs = parseSort(body['sort'], context);
  if (isByScore(specs)) return null;
  const hasTieBreaker = specs.some((spec) => spec.kind === 'doc' && spec.acrossShards);
  return withPointInTime && !hasTieBreaker ? [...specs, SHARD_DOC] : specs;
}

function parsePointInTime(body: Body): SearchPlan['pointInTime'] {
  const pit = body['pit'];
  if (!isPlainObject(pit)) return null;
  for (const key of Object.keys(pit)) {
    if (key !== 'id' && key !== 'keep_alive')
      throw errors.xContentParse(`[pit] unknown field [${key}]`, { location: { container: pit, key, at: 'key' } });
  }
  if (typeof pit['id'] !== 'string') throw errors.illegalArgument('point in time id is not provided');
  const keepAlive = pit['keep_alive'];
  return {
    id: pit['id'],
    keepAliveMs: keepAlive === undefined ? null : parseTimeValue(String(keepAlive), 'keep_alive'),
  };
}

/** Parses what shards will parse again, for its errors; the tree of aggregations is kept for the reduce. */
function parseParts(body: Body, context: ParseContext): AggregationTree | null {
  for (const key of ['query', 'post_filter']) if (body[key] !== undefined) parseQuery(body[key], context);
  checkFetchOptions(body, context);
  const name = body['aggs'] === undefined ? 'aggregations' : 'aggs';
  return body[name] === undefined ? null : parseAggregations(body[name], body, context);
}

/** Scrolls and integer totals count exactly unless the body says otherwise. */
function exactTotals(request: SearchRequest, body: Body): Body {
  const needed = (request.totalHitsAsInt || request.scrollMs !== null) && body['track_total_hits'] === undefined;
  return needed && request.overrides['track_total_hits'] === undefined ? { track_total_hits: true } : {};
}

function mergedBody(body: Body, request: SearchRequest): Body {
  const added = { ...request.overrides, ...exactTotals(request, body) };
  for (const _ in added) return { ...body, ...added };
  return body;
}

function planOf(
  body: Body,
  bytes: Uint8Array,
  aggregations: AggregationTree | null,
  context: ParseContext,
): SearchPlan {
  const pointInTime = parsePointInTime(body);
  return {
    body: bytes,
    from: parseFrom(body),
    size: parseSize(body),
    orders: sortSpecs(body, pointInTime !== null, context),
    tracksScores: bodyBoolean(body, 'track_scores', false),
    trackTotalHits: parseTrackTotalHits(body),
    terminateAfter: parseTerminateAfter(body),
    timeoutMs: body['timeout'] === undefined ? null : parseTimeValue(String(body['timeout']), 'timeout'),
    aggregations,
    collapse: parseCollapse(body['collapse']),
    hasSuggest: body['suggest'] !== undefined,
    profile: bodyBoolean(body, 'profile', false),
    indicesBoost: parseIndicesBoost(body),
    pointInTime,
    hasRescore: body['rescore'] !== undefined,
    hasSearchAfter: body['search_after'] !== undefined,
    slice: parseSlice(body),
    scriptFieldCount: isPlainObject(body['script_fields']) ? Object.keys(body['script_fields']).length : 0,
  };
}

/** Parses a search request; every error of the body comes from here. */
export function parseSearch(request: SearchRequest, context: ParseContext): SearchPlan {
  const original = objectBody(request.body);
  return positioned(request.body, original, () => {
    checkSearchKeys(original);
    bodyNumber(original['min_score'] ?? 0);
    for (const key of ['version', 'seq_no_primary_term', 'explain']) bodyBoolean(original, key, false);
    const body = mergedBody(original, request);
    const aggregations = parseParts(body, context);
    const bytes = body === original ? (request.body.length === 0 ? EMPTY_BYTES : request.body) : utf8(stringify(body));
    const plan = planOf(body, bytes, aggregations, context);
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
  if (plan.hasRescore) problems.push('using [rescore] is not allowed in a scroll context');
  if (request.requestCache === true) problems.push('[request_cache] cannot be used in a scroll context');
  if (plan.pointInTime) problems.push('using [point in time] is not allowed in a scroll context');
  return problems;
}

function pointInTimeProblems(request: SearchRequest, plan: SearchPlan): string[] {
  if (!plan.pointInTime) return [];
  const problems: string[] = [];
  if (request.target.names.length > 0)
    problems.push('[indices] cannot be used with point in time. Do not specify any index with point in time.');
  if (request.namedIndicesOptions) problems.push('[indicesOptions] cannot be used with point in time');
  if (request.routing !== null) problems.push('[routing] cannot be used with point in time');
  if (request.preference !== null) problems.push('[preference] cannot be used with point in time');
  return problems;
}

/** What is fine in itself but not together. */
function checkTogether(request: SearchRequest, plan: SearchPlan, body: Body): void {
  if (request.totalHitsAsInt && typeof plan.trackTotalHits === 'number') {
    throw errors.illegalArgument(
      '[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ' +
        `${plan.trackTotalHits}`,
    );
  }
  const problems = [...scrollProblems(request, plan, body), ...pointInTimeProblems(request, plan)];
  if (problems.length > 0) throw validationError(problems);
}
