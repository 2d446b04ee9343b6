import { parseTemplateRequest } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, parseJson, stringify } from '@shoal/json';
import { INDICES_PARAMETERS } from '../admin/index-options.js';
import {
  checkBody,
  documentKey,
  parseRankEval,
  type RankEval,
  type RatedRequest,
} from '../rank-eval/parse-rank-eval.js';
import type { RankMetric } from '../rank-eval/rank-metrics.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';
import { multiSearchDefaults } from './search.js';

/** Hits of searches that run at once: what is held of their answers, and parsed at a stretch. */
const HITS_AT_ONCE = 1_000;
/** Limit on the hits of an answer. */
const HITS_MAX = 200_000;

interface Hit extends JsonObject {
  readonly _index: string;
  readonly _id: string;
}

interface Evaluated {
  readonly details: Record<string, JsonObject>;
  readonly failures: Record<string, JsonObject>;
  readonly scores: number[];
  hits: number;
}

async function rankEval(request: RestRequest, services: Services): Promise<RestResponse> {
  if (!request.hasBody) throw errors.parse('request body or source parameter is required');
  const body = request.json();
  if (!isPlainObject(body)) throw errors.xContentParse('[rank_eval] expected an object');
  const spec = parseRankEval(body);
  const found: Evaluated = { details: {}, failures: {}, scores: [], hits: 0 };
  const size = Math.max(1, Math.floor(HITS_AT_ONCE / spec.metric.k));
  for (let from = 0; from < spec.requests.length; from += size)
    await evaluate(spec, spec.requests.slice(from, from + size), { request, services }, found);
  const { scores, details, failures } = found;
  const mean = scores.length === 0 ? 'NaN' : scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return { status: 200, json: { metric_score: mean, details, failures } };
}

/** Runs searches at once, and adds what the metric says of each. */
async function evaluate(
  { metric, templates, maxConcurrentSearches }: RankEval,
  requests: readonly RatedRequest[],
  { request, services }: { readonly request: RestRequest; readonly services: Services },
  found: Evaluated,
): Promise<void> {
  const bodies = requests.map((one) => searchOf(one, metric.k, templates, services));
  const lines = bodies.map((search) => `{}\n${stringify(search)}\n`).join('');
  const answer = await services.coordinator.multiSearch(
    {
      body: Buffer.from(lines),
      hasTemplates: false,
      defaults: multiSearchDefaults(request),
      maxConcurrentSearches: maxConcurrentSearches ?? Math.max(1, services.cluster.state().nodes.size * 10),
    },
    callContext(request),
  );
  const { responses } = parseJson(Buffer.concat(answer.chunks)) as { readonly responses: readonly JsonObject[] };
  responses.forEach((response, i) => addResult(requests[i]!, response, metric, found));
}

function addResult({ id, ratings }: RatedRequest, response: JsonObject, metric: RankMetric, found: Evaluated): void {
  if (response['error'] !== undefined) {
    found.failures[id] = { error: response['error'] };
    return;
  }
  const { hits } = (response as unknown as { readonly hits: { readonly hits: readonly Hit[] } }).hits;
  found.hits += hits.length;
  if (found.hits > HITS_MAX)
    throw errors.illegalArgument(
      `the searches of one ranking evaluation find more than [${HITS_MAX}] hits: lower [k], or send fewer requests`,
    );
  const rated = hits.map((hit) => ({ hit, rating: ratings.get(documentKey(hit._index, hit._id)) ?? null }));
  const { score, details } = metric.evaluate(rated, [...ratings.values()]);
  const unrated = rated.filter(({ rating }) => rating === null);
  found.details[id] = {
    metric_score: score,
    unrated_docs: unrated.map(({ hit: { _index, _id } }) => ({ _index, _id })),
    hits: rated,
    metric_details: { [metric.name]: details },
  };
  found.scores.push(score);
}

/** Returns the body of a rated search: as it is given or its template makes it, with the hits that the metric reads. */
function searchOf(
  { body, templateId, params, summaryFields }: RatedRequest,
  k: number,
  templates: RankEval['templates'],
  services: Services,
): JsonObject {
  const search = body ?? rendered(templates.get(templateId!)!, params, services);
  return { ...search, size: k, _source: summaryFields.length === 0 ? false : summaryFields };
}

function rendered(template: JsonObject, params: JsonObject, { coordinator }: Services): JsonObject {
  const { lang: _, ...script } = template;
  const text = coordinator.renderTemplate(parseTemplateRequest({ ...script, params }));
  const search = parseJson(Buffer.from(text));
  if (!isPlainObject(search)) throw errors.parsing('a template of a search has to make an object');
  checkBody(search);
  return search;
}

export const routes: readonly Route<Services>[] = ['/_rank_eval', '/{index}/_rank_eval'].map(
  (path): Route<Services> => ({
    methods: ['GET', 'POST'],
    path,
    name: 'rank_eval',
    body: 'optional',
    privilege: 'indices:data/read/rank_eval',
    parameters: [...INDICES_PARAMETERS, 'index', 'search_type'],
    handle: rankEval,
  }),
);
