import { type ApiError, errors, isApiError } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { parseMetric, type RankMetric, wholeNumber } from './rank-metrics.js';

/** A search and the ratings of documents that it should find. */
export interface RatedRequest {
  readonly id: string;
  /** Body of the search; null for one that is made of a template. */
  readonly body: JsonObject | null;
  readonly templateId: string | null;
  readonly params: JsonObject;
  /** Fields of the source to show of hits. */
  readonly summaryFields: readonly string[];
  /** Ratings by `documentKey`. */
  readonly ratings: ReadonlyMap<string, number>;
}

/** A ranking evaluation. */
export interface RankEval {
  readonly requests: readonly RatedRequest[];
  readonly metric: RankMetric;
  /** Members `template` of the body by id: bodies of `_render/template`. */
  readonly templates: ReadonlyMap<string, JsonObject>;
  /** Searches at once; null for the default. */
  readonly maxConcurrentSearches: number | null;
}

/** Key of a document over all indices. */
export const documentKey = (index: string, id: string): string => `${index}\0${id}`;

const KEYS: ReadonlySet<string> = new Set(['templates', 'requests', 'metric', 'max_concurrent_searches']);
const REQUEST_KEYS: ReadonlySet<string> = new Set([
  'id',
  'request',
  'ratings',
  'summary_fields',
  'template_id',
  'params',
]);

/** Parses the body of `_rank_eval`. Throws its errors in 8.12's words. */
export function parseRankEval(body: JsonObject): RankEval {
  const unknown = Object.keys(body).find((key) => !KEYS.has(key));
  if (unknown !== undefined) throw errors.xContentParse(`[rank_eval] unknown field [${unknown}]`);
  const { requests, metric, max_concurrent_searches: concurrent } = body;
  const missing = ['requests', 'metric'].filter((key) => body[key] === undefined);
  if (missing.length > 0) throw errors.illegalArgument(`Required [${missing.join(', ')}]`);
  const templates = within('templates', () => readTemplates(body['templates']));
  const found = within('requests', () => listOf(requests).map((one) => ratedRequest(one)));
  if (found.length === 0)
    throw notBuilt(
      'rank_eval',
      'Cannot evaluate ranking if no search requests with rated results are provided. Seen: []',
    );
  const unmade = found.find(({ body: own, templateId }) => own === null && !templates.has(templateId!));
  if (unmade !== undefined)
    throw errors.xContentParse('Failed to build [rank_eval] after last required field arrived', {
      cause: errors.illegalState(
        'Cannot evaluate ranking if neither template nor evaluation request is provided. Seen for request id: ' +
          unmade.id,
      ),
    });
  const maxConcurrentSearches =
    concurrent === undefined ? null : wholeNumber('rank_eval', 'max_concurrent_searches', concurrent);
  if (maxConcurrentSearches !== null && maxConcurrentSearches < 1)
    throw errors.illegalArgument('maxConcurrentSearchRequests must be positive');
  return { requests: found, metric: parseMetric(metric), templates, maxConcurrentSearches };
}

/** Runs the parser of a member; its errors are causes. */
function within<T>(key: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw errors.xContentParse(`[rank_eval] failed to parse field [${key}]`, { cause: error });
  }
}

const notBuilt = (name: string, reason: string): ApiError =>
  errors.xContentParse(`Failed to build [${name}] after last required field arrived`, {
    cause: errors.illegalArgument(reason),
  });

function listOf(value: unknown): readonly JsonObject[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.every(isPlainObject)) return list;
  throw errors.xContentParse('expected an object');
}

function readTemplates(value: unknown): ReadonlyMap<string, JsonObject> {
  if (value === undefined) return new Map();
  return new Map(
    listOf(value).map((one) => {
      if (typeof one['id'] !== 'string' || !isPlainObject(one['template']))
        throw errors.illegalArgument('Required [id, template]');
      return [one['id'], one['template']];
    }),
  );
}

function ratedRequest(given: JsonObject): RatedRequest {
  const unknown = Object.keys(given).find((key) => !REQUEST_KEYS.has(key));
  if (unknown !== undefined) throw errors.xContentParse(`[request] unknown field [${unknown}]`);
  const { id, request, ratings, params, template_id: templateId, summary_fields: fields } = given;
  const missing = ['id', 'ratings'].filter((key) => given[key] === undefined);
  if (missing.length > 0) throw errors.illegalArgument(`Required [${missing.join(', ')}]`);
  if (isPlainObject(request)) checkBody(request);
  if (!isPlainObject(request) && !isPlainObject(params))
    throw notBuilt('request', 'Need to set at least test request or test request template parameters.');
  if (!isPlainObject(request) && typeof templateId !== 'string')
    throw notBuilt('request', 'If template parameters are supplied need to set id of template to apply them to too.');
  return {
    id: String(id),
    body: isPlainObject(request) ? request : null,
    templateId: typeof templateId === 'string' ? templateId : null,
    params: isPlainObject(params) ? params : {},
    summaryFields: Array.isArray(fields) ? fields.map(String) : fields === undefined ? [] : [String(fields)],
    ratings: ratingsOf(String(id), ratings),
  };
}

/** Sections of a search that a rated request may not have, and the refusal. */
const REFUSED: readonly (readonly [keys: readonly string[], reason: string])[] = [
  [['suggest'], 'Query in rated requests should not contain a suggest section.'],
  [['aggs', 'aggregations'], 'Query in rated requests should not contain aggregations.'],
  [['highlight'], 'Query in rated requests should not contain a highlighter section.'],
  [['explain'], 'Query in rated requests should not use explain.'],
  [['profile'], 'Query in rated requests should not use profile.'],
];

/** Throws for a search with a section that no metric reads. */
export function checkBody(body: JsonObject): void {
  for (const [keys, reason] of REFUSED)
    if (keys.some((key) => body[key] !== undefined && body[key] !== false)) throw notBuilt('request', reason);
}

function ratingsOf(id: string, value: unknown): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const one of Array.isArray(value) && value.length === 0 ? [] : listOf(value)) {
    const missing = ['_index', '_id', 'rating'].filter((key) => one[key] === undefined);
    if (missing.length > 0) throw errors.illegalArgument(`Required [${missing.join(', ')}]`);
    const [index, document] = [String(one['_index']), String(one['_id'])];
    const key = documentKey(index, document);
    if (found.has(key))
      throw notBuilt(
        'request',
        `Found duplicate rated document key [${JSON.stringify({ _index: index, _id: document })}] in evaluation ` +
          `request [${id}]`,
      );
    found.set(key, wholeNumber('rated_document', 'rating', one['rating']));
  }
  return found;
}
