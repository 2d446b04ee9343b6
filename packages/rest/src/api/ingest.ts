import { section } from '@shoal/state';
import { selectNames } from '@shoal/values';
import { errors } from '@shoal/errors';
import { isPlainObject, type Json } from '@shoal/json';
import { MASTER_PARAMETERS, objectBody, pathList, runTask } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

/** A node without ingest processors refuses a pipeline that names one, as Elasticsearch refuses unknown types. */
function checkProcessors(list: unknown, property: string): void {
  if (!Array.isArray(list))
    throw errors.parse(`[${property}] required property is missing`, { meta: { property_name: property } });
  for (const processor of list) {
    const [type = ''] = isPlainObject(processor) ? Object.keys(processor) : [];
    throw errors.parse(`No processor type exists with name [${type}]`, { meta: { processor_type: type } });
  }
}

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = objectBody(request);
  checkProcessors(body['processors'], 'processors');
  if (body['on_failure'] !== undefined) checkProcessors(body['on_failure'], 'on_failure');
  request.params.accept('if_version');
  return {
    status: 200,
    json: await runTask(request, services, 'put-entry', {
      section: 'pipelines',
      name: request.pathParams['id'],
      value: body,
    }),
  };
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
  return { status: found.length === 0 && names.some((name) => !name.includes('*')) ? 404 : 200, json };
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const names = pathList(request, 'id');
  const found = selected(services, names).map(([name]) => name);
  const absent = names.find(
    (name) => !found.includes(name) && name !== '*' && !(name.includes('*') && found.length > 0),
  );
  if (absent !== undefined) throw errors.resourceNotFound(`pipeline [${absent}] is missing`);
  return {
    status: 200,
    json: await runTask(request, services, 'delete-entries', { section: 'pipelines', names: found }),
  };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['PUT'],
    path: '/_ingest/pipeline/{id}',
    name: 'ingest.put_pipeline',
    body: 'required',
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
