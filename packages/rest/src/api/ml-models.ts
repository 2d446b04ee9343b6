import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { section } from '@shoal/state';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { ACKNOWLEDGED, ADMIN, mlRoute, MONITOR, ok, pageIn, requiredBody } from './ml-route.js';

const MODELS = '/_ml/trained_models';
const MODEL = `${MODELS}/{model_id}`;
const idOf = ({ pathParams }: RestRequest): string => pathParams['model_id']!;

/** Pipelines whose inference processors name a model. */
export function pipelinesOf({ cluster }: Services, id: string): string[] {
  const names = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(names);
    if (!isPlainObject(value)) return false;
    const own = value['inference'];
    return (isPlainObject(own) && own['model_id'] === id) || Object.values(value).some(names);
  };
  return Object.entries(section(cluster.state(), 'pipelines')).flatMap(([name, body]) => (names(body) ? [name] : []));
}

async function put(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  request.params.boolean('defer_definition_decompression', false);
  request.params.boolean('wait_for_completion', false);
  return ok(await ml.models.put(idOf(request), requiredBody(request)));
}

async function get({ params, pathParams }: RestRequest, { ml }: Services): Promise<RestResponse> {
  const include = params.list('include') ?? [];
  const unknown = include.find((name) => !INCLUDES.includes(name));
  if (unknown !== undefined)
    throw errors.illegalArgument(
      `unknown [include] parameter [${unknown}]. Valid options are [${INCLUDES.join(', ')}]`,
    );
  const isInflated = params.boolean('decompress_definition', true);
  const hidesGenerated = params.boolean('exclude_generated', false);
  const { from, size } = pageIn({ params });
  const all = await ml.models.find(
    pathParams['model_id'] ?? '_all',
    params.boolean('allow_no_match', true),
    params.list('tags') ?? [],
  );
  const page = all.slice(from, from + size);
  const hasDefinition = include.includes('definition');
  if (hasDefinition && page.length > 1)
    throw errors.actionRequestValidation(
      'Validation Failed: 1: getting model definition is not supported when getting more than one model;',
    );
  const shown: JsonObject[] = [];
  for (const { id, source } of page)
    shown.push({
      ...(hidesGenerated ? withoutGenerated(source) : source),
      ...(hasDefinition ? await ml.models.definition(id, isInflated) : {}),
    });
  return ok({ count: all.length, trained_model_configs: shown });
}

/** What another cluster would make anew of a model that is put there. */
const GENERATED = new Set([
  ...['created_by', 'version', 'create_time', 'model_size_bytes', 'estimated_operations', 'license_level'],
]);

function withoutGenerated(source: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !GENERATED.has(key)));
}

const INCLUDES = [
  'definition',
  'definition_status',
  'feature_importance_baseline',
  'hyperparameters',
  'total_feature_importance',
];

async function stats({ params, pathParams }: RestRequest, services: Services): Promise<RestResponse> {
  const { from, size } = pageIn({ params });
  const all = await services.ml.models.find(
    pathParams['model_id'] ?? '_all',
    params.boolean('allow_no_match', true),
    [],
  );
  const shown = await services.ml.models.stats(all.slice(from, from + size), (id) => pipelinesOf(services, id).length);
  return ok({ count: all.length, trained_model_stats: shown });
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const force = request.params.boolean('force', false);
  request.params.time('timeout', 30_000);
  await services.ml.models.remove(idOf(request), force, pipelinesOf(services, idOf(request)));
  return ACKNOWLEDGED;
}

async function infer(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  request.params.time('timeout', 10_000);
  const body = requiredBody(request);
  const unknown = Object.keys(body).find((key) => !['docs', 'inference_config'].includes(key));
  if (unknown !== undefined) throw errors.xContentParse(`[infer_trained_model] unknown field [${unknown}]`);
  const docs = body['docs'];
  if (!Array.isArray(docs) || !docs.every(isPlainObject) || docs.length === 0)
    throw errors.actionRequestValidation('Validation Failed: 1: [docs] must not be null or empty;');
  const config = (body['inference_config'] ?? null) as JsonObject | null;
  return ok({ inference_results: await ml.models.inferAll(idOf(request), docs, config) });
}

async function putAlias(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  await ml.models.putAlias(
    request.pathParams['model_alias']!,
    idOf(request),
    request.params.boolean('reassign', false),
  );
  return ACKNOWLEDGED;
}

async function removeAlias(request: RestRequest, { ml }: Services): Promise<RestResponse> {
  await ml.models.removeAlias(request.pathParams['model_alias']!, idOf(request));
  return ACKNOWLEDGED;
}

const PAGE = ['from', 'size', 'allow_no_match'];
const ALIAS = `${MODEL}/model_aliases/{model_alias}`;

export const routes: readonly Route<Services>[] = [
  ...[MODELS, MODEL].map((path) =>
    mlRoute(
      'GET',
      path,
      'get_trained_models',
      `${MONITOR}inference/get`,
      [...PAGE, 'include', 'decompress_definition', 'exclude_generated', 'tags'],
      get,
    ),
  ),
  ...[`${MODELS}/_stats`, `${MODEL}/_stats`].map((path) =>
    mlRoute('GET', path, 'get_trained_models_stats', `${MONITOR}inference/stats/get`, PAGE, stats),
  ),
  {
    ...mlRoute(
      'PUT',
      MODEL,
      'put_trained_model',
      `${ADMIN}inference/put`,
      ['defer_definition_decompression', 'wait_for_completion'],
      put,
      'required',
    ),
    largeBody: 'parsed',
  },
  mlRoute('DELETE', MODEL, 'delete_trained_model', `${ADMIN}inference/delete`, ['force', 'timeout'], remove),
  mlRoute(
    'POST',
    `${MODEL}/_infer`,
    'infer_trained_model',
    `${MONITOR}inference/infer`,
    ['timeout'],
    infer,
    'required',
  ),
  mlRoute('PUT', ALIAS, 'put_trained_model_alias', `${ADMIN}inference/set_alias`, ['reassign'], putAlias),
  mlRoute('DELETE', ALIAS, 'delete_trained_model_alias', `${ADMIN}inference/delete_alias`, [], removeAlias),
];
