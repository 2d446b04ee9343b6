import { sectionEntry } from '@shoal/state';
import { errors } from '@shoal/errors';
import { isPlainObject, type Json } from '@shoal/json';
import { MASTER_PARAMETERS, objectBody, pathList, READ_PARAMETERS, runTask } from '../admin/index-options.js';
import { placeOf, repositoryLocation, selectRepositories } from '../admin/repositories.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

/** Settings of a repository, as texts. */
function settingsOf(body: Json): Json {
  const settings = body['settings'];
  if (settings === undefined || settings === null) return {};
  if (!isPlainObject(settings)) throw errors.parse('Malformed settings section, should include an inner object');
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [key, Array.isArray(value) ? value.map(String) : String(value)]),
  );
}

const TYPES: readonly string[] = ['fs', 'url', 's3', 'source'];

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const name = request.pathParams['repository'] ?? '';
  const body = objectBody(request);
  const { type } = body;
  if (typeof type !== 'string') throw errors.actionRequestValidation('Validation Failed: 1: type is missing;');
  const settings = settingsOf(body);
  if (!TYPES.includes(type))
    throw errors.repository(`[${name}] repository type [${type}] does not exist`, { status: 400 });
  const place = placeOf(services, name, { type, settings });
  if (request.params.boolean('verify', true)) await services.snapshots.verify(place);
  return ok(
    await runTask(request, services, 'put-entry', { section: 'repositories', name, value: { type, settings } }),
  );
}

function get(request: RestRequest, services: Services): RestResponse {
  return ok(Object.fromEntries(selectRepositories(services.cluster.state(), pathList(request, 'repository'))));
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const names = selectRepositories(services.cluster.state(), pathList(request, 'repository')).map(([name]) => name);
  return ok(await runTask(request, services, 'delete-entries', { section: 'repositories', names }));
}

function existing(request: RestRequest, services: Services): string {
  const name = request.pathParams['repository'] ?? '';
  if (!sectionEntry(services.cluster.state(), 'repositories', name))
    throw errors.repositoryMissing(`[${name}] missing`);
  return name;
}

async function verify(request: RestRequest, services: Services): Promise<RestResponse> {
  const ids = await services.snapshots.verify(repositoryLocation(services, existing(request, services)));
  return ok({
    nodes: Object.fromEntries(ids.map((id) => [id, { name: services.cluster.state().nodes.get(id)?.name ?? id }])),
  });
}

async function cleanup(request: RestRequest, services: Services): Promise<RestResponse> {
  const { bytes, blobs } = await services.snapshots.cleanup(repositoryLocation(services, existing(request, services)));
  return ok({ results: { deleted_bytes: bytes, deleted_blobs: blobs } });
}

const PUT = [...MASTER_PARAMETERS, 'verify'];

export const routes: readonly Route<Services>[] = [
  {
    methods: ['PUT', 'POST'],
    path: '/_snapshot/{repository}',
    name: 'snapshot.create_repository',
    body: 'required',
    privilege: 'cluster:admin/repository/put',
    parameters: PUT,
    handle: put,
  },
  ...['/_snapshot', '/_snapshot/{repository}'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'snapshot.get_repository',
      body: 'none',
      privilege: 'cluster:admin/repository/get',
      parameters: READ_PARAMETERS,
      handle: get,
    }),
  ),
  {
    methods: ['DELETE'],
    path: '/_snapshot/{repository}',
    name: 'snapshot.delete_repository',
    body: 'none',
    privilege: 'cluster:admin/repository/delete',
    parameters: MASTER_PARAMETERS,
    handle: remove,
  },
  {
    methods: ['POST'],
    path: '/_snapshot/{repository}/_verify',
    name: 'snapshot.verify_repository',
    body: 'none',
    privilege: 'cluster:admin/repository/verify',
    parameters: MASTER_PARAMETERS,
    handle: verify,
  },
  {
    methods: ['POST'],
    path: '/_snapshot/{repository}/_cleanup',
    name: 'snapshot.cleanup_repository',
    body: 'none',
    privilege: 'cluster:admin/repository/_cleanup',
    parameters: MASTER_PARAMETERS,
    handle: cleanup,
  },
];
