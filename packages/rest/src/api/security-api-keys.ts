import { errors } from '@shoal/errors';
import { type JsonObject, tokenOf } from '@shoal/json';
import type { Security } from '@shoal/security';
import { objectBody, pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { clearedAnswer } from '../security/cleared-answer.js';
import { callerOf, securityOf } from '../security/security-of.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/api_key';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

/** The security layer; throws if API keys are off. */
function keyCallsOf(services: Services): Security['apiKeyCalls'] {
  const security = securityOf(services);
  if (!security.settings.apiKeys.enabled)
    throw errors.featureNotEnabled('api keys are not enabled', { meta: { 'disabled.feature': 'api_keys' } });
  return security.apiKeyCalls;
}

async function create(request: RestRequest, services: Services): Promise<RestResponse> {
  const calls = keyCallsOf(services);
  return ok(await calls.create(callerOf(request), objectBody(request), request.params.text('refresh')));
}

/** `run_as` of a grant; null if absent. */
function runAsOf(body: JsonObject): string | null {
  const name = body['run_as'];
  if (name === undefined || typeof name === 'string') return name ?? null;
  throw errors.xContentParse(`[grant_api_key_request] run_as doesn't support values of type: ${tokenOf(name)}`, {
    location: { container: body, key: 'run_as' },
  });
}

async function grant(request: RestRequest, services: Services): Promise<RestResponse> {
  const calls = keyCallsOf(services);
  const body = objectBody(request);
  const json = await calls.grant(request.subject, request.path, body, {
    refresh: () => request.params.text('refresh'),
    runAs: () => runAsOf(body),
  });
  return ok(json);
}

async function get(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const calls = keyCallsOf(services);
  const id = params.text('id');
  const named = {
    ids: id === null ? null : [id],
    name: params.text('name'),
    username: params.text('username'),
    realmName: params.text('realm_name'),
    owner: params.boolean('owner', false),
  };
  const found = await calls.get(request.subject, named, {
    activeOnly: params.boolean('active_only', false),
    withLimitedBy: () => params.boolean('with_limited_by', false),
  });
  return { status: found.length === 0 && id !== null ? 404 : 200, json: { api_keys: found } };
}

async function query(request: RestRequest, services: Services): Promise<RestResponse> {
  const calls = keyCallsOf(services);
  const body = objectBody(request);
  return ok(await calls.query(request.subject, body, request.params.boolean('with_limited_by', false)));
}

async function invalidate(request: RestRequest, services: Services): Promise<RestResponse> {
  return ok(await keyCallsOf(services).invalidate(request.subject, objectBody(request)));
}

async function update(request: RestRequest, services: Services): Promise<RestResponse> {
  const calls = keyCallsOf(services);
  return ok(await calls.update(callerOf(request), request.pathParams['id']!, objectBody(request)));
}

async function bulkUpdate(request: RestRequest, services: Services): Promise<RestResponse> {
  return ok(await keyCallsOf(services).bulkUpdate(callerOf(request), objectBody(request)));
}

async function clearCache(request: RestRequest, services: Services): Promise<RestResponse> {
  const ids = pathList(request, 'ids');
  return clearedAnswer(services, ids.includes('*') ? ['_es_api_key'] : ids.map((id) => `api_key:${id}`));
}

const GET_PARAMETERS = [
  'id',
  'name',
  'username',
  'realm_name',
  'owner',
  'with_limited_by',
  'active_only',
  'with_profile_uid',
];

export const routes: readonly Route<Services>[] = [
  {
    methods: ['PUT', 'POST'],
    path: '/_security/api_key',
    name: 'security.create_api_key',
    body: 'required',
    privilege: `${ACTION}/create`,
    parameters: ['refresh'],
    handle: create,
  },
  {
    methods: ['POST'],
    path: '/_security/api_key/grant',
    name: 'security.grant_api_key',
    body: 'required',
    privilege: `${ACTION}/grant`,
    parameters: ['refresh'],
    handle: grant,
  },
  {
    methods: ['GET'],
    path: '/_security/api_key',
    name: 'security.get_api_key',
    body: 'none',
    privilege: `${ACTION}/get`,
    parameters: GET_PARAMETERS,
    handle: get,
  },
  {
    methods: ['GET', 'POST'],
    path: '/_security/_query/api_key',
    name: 'security.query_api_keys',
    body: 'optional',
    privilege: `${ACTION}/query`,
    parameters: ['with_limited_by', 'with_profile_uid'],
    handle: query,
  },
  {
    methods: ['DELETE'],
    path: '/_security/api_key',
    name: 'security.invalidate_api_key',
    body: 'required',
    privilege: `${ACTION}/invalidate`,
    parameters: [],
    handle: invalidate,
  },
  {
    methods: ['PUT'],
    path: '/_security/api_key/{id}',
    name: 'security.update_api_key',
    body: 'optional',
    privilege: `${ACTION}/update`,
    parameters: [],
    handle: update,
  },
  {
    methods: ['POST'],
    path: '/_security/api_key/_bulk_update',
    name: 'security.bulk_update_api_keys',
    body: 'required',
    privilege: `${ACTION}/bulk_update`,
    parameters: [],
    handle: bulkUpdate,
  },
  {
    methods: ['POST'],
    path: '/_security/api_key/{ids}/_clear_cache',
    name: 'security.clear_api_key_cache',
    body: 'none',
    privilege: 'cluster:admin/xpack/security/cache/clear',
    parameters: [],
    handle: clearCache,
  },
];
