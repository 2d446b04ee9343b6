import { section } from '@shoal/state';
import { selectNames } from '@shoal/values';
import { errors } from '@shoal/errors';
import type { Json } from '@shoal/json';
import { MASTER_PARAMETERS, objectBody, pathList, runTask } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';

function requiredBody(request: RestRequest): Record<string, unknown> {
  if (!request.hasBody) throw errors.parse('request body or source parameter is required');
  return objectBody(request);
}

/** A body with documents: whole doubles in it stay doubles. */
function documentsBody(request: RestRequest): { readonly parsed: Record<string, unknown>; readonly bytes: Uint8Array } {
  return { parsed: requiredBody(request), bytes: request.jsonBody() };
}

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const value = requiredBody(request);
  const name = request.pathParams['id']!;
  const ifVersion = request.params.has('if_version') ? request.params.integer('if_version', 0) : null;
  await services.coordinator.ingest.check(name, value);
  return { status: 200, json: await runTask(request, services, 'put-pipeline', { name, value, ifVersion }) };
}

function selected(services: Services, names: readonly string[]): [string, unknown][] {
  const all = Object.entries(section(services.cluster.state(), 'pipelines'));
  if (names.length === 0) return all;
  const chosen = new Set(
    selectNames(
      all.map(([name]) => name),
      names,
    ),
  );
  return all.filter(([name]) => chosen.has(name));
}

function get(request: RestRequest, services: Services): RestResponse {
  const names = pathList(request, 'id');
  const found = selected(services, names);
  const summary = request.params.boolean('summary', false);
  const json: Json = Object.fromEntries(found.map(([name, value]) => [name, summary ? {} : value]));
  return { status: found.length === 0 && names.some((name) => name !== '*') ? 404 : 200, json };
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const pattern = request.pathParams['id']!;
  return { status: 200, json: await runTask(request, services, 'delete-pipelines', { pattern }) };
}

async function simulate(request: RestRequest, services: Services): Promise<RestResponse> {
  const isVerbose = request.params.boolean('verbose', false);
  const body = documentsBody(request);
  const id = request.pathParams['id'] ?? null;
  return {
    status: 200,
    json: await services.coordinator.ingest.simulate({ id, body, isVerbose }, callContext(request)),
  };
}

async function simulateIndex(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = documentsBody(request);
  const index = request.pathParams['index'] ?? null;
  const pipeline = request.params.text('pipeline');
  const { ingest } = services.coordinator;
  return { status: 200, json: await ingest.simulateIndex({ body, index, pipeline }, callContext(request)) };
}

const PIPELINES: readonly Route<Services>[] = [
  {
    methods: ['PUT'],
    path: '/_ingest/pipeline/{id}',
    name: 'ingest.put_pipeline',
    body: 'optional',
    privilege: 'cluster:admin/ingest/pipeline/put',
    parameters: [...MASTER_PARAMETERS, 'if_version'],
    handle: put,
  },
  ...['/_ingest/pipeline', '/_ingest/pipeline/{id}'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'ingest.get_pipeline',
      body: 'none',
      privilege: 'cluster:admin/ingest/pipeline/get',
      parameters: ['master_timeout', 'summary'],
      handle: get,
    }),
  ),
  {
    methods: ['DELETE'],
    path: '/_ingest/pipeline/{id}',
    name: 'ingest.delete_pipeline',
    body: 'none',
    privilege: 'cluster:admin/ingest/pipeline/delete',
    parameters: MASTER_PARAMETERS,
    handle: remove,
  },
];

function grokPatterns({ params }: RestRequest, { coordinator }: Services): RestResponse {
  const mode = params.text('ecs_compatibility', 'disabled');
  if (mode !== 'disabled' && mode !== 'v1')
    throw errors.illegalArgument(`unsupported ECS compatibility mode [${mode}]`);
  const patterns = coordinator.ingest.grokPatterns(mode === 'v1');
  const sorted = Object.fromEntries(Object.entries(patterns).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { status: 200, json: { patterns: params.boolean('s', false) ? sorted : patterns } };
}

export const routes: readonly Route<Services>[] = [
  ...PIPELINES,
  {
    methods: ['GET'],
    path: '/_ingest/processor/grok',
    name: 'ingest.processor_grok',
    body: 'none',
    privilege: 'cluster:admin/ingest/processor/grok/get',
    parameters: ['s', 'ecs_compatibility'],
    handle: grokPatterns,
  },
  ...['/_ingest/pipeline/_simulate', '/_ingest/pipeline/{id}/_simulate'].map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'ingest.simulate',
      body: 'optional',
      privilege: 'cluster:admin/ingest/pipeline/simulate',
      parameters: ['verbose'],
      handle: simulate,
    }),
  ),
  ...['/_ingest/_simulate', '/_ingest/{index}/_simulate'].map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'simulate.ingest',
      body: 'optional',
      privilege: 'indices:data/write/simulate/bulk',
      parameters: ['pipeline'],
      handle: simulateIndex,
    }),
  ),
];
