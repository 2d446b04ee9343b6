import type { Json } from '@shoal/json';
import { errors, renderCause } from '@shoal/errors';
import { checkKeys, failValidation, type KeyUpdates, type Security } from '@shoal/security';
import { objectBody, pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { idsOf, ownerOf, parseKeyChange, parseNewKey, visibleOf } from '../security/api-key-body.js';
import { clearedAnswer } from '../security/cleared-answer.js';
import { permittedKeys } from '../security/key-filter.js';
import { callerOf, securityOf } from '../security/security-of.js';
import { grantedUser } from '../security/granted-user.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/api_key';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

/** The security layer; throws if API keys are off. */
function keysOf(services: Services): Security {
  const security = securityOf(services);
  if (!security.settings.apiKeys.enabled)
    throw errors.featureNotEnabled('api keys are not enabled', { meta: { 'disabled.feature': 'api_keys' } });
  return security;
}

async function create(request: RestRequest, services: Services): Promise<RestResponse> {
  const { apiKeys } = keysOf(services);
  return ok(
    await apiKeys.create(
      parseNewKey(objectBody(request), visibleOf(request.params.text('refresh'))),
      callerOf(request),
    ),
  );
}

const GRANT_KEYS = ['grant_type', 'username', 'password', 'access_token', 'run_as', 'api_key', 'client_authentication'];

async function grant(request: RestRequest, services: Services): Promise<RestResponse> {
  const { apiKeys } = keysOf(services);
  const body = objectBody(request);
  checkKeys(body, GRANT_KEYS, (key) => errors.xContentParse(`[grant_api_key_request] unknown field [${key}]`));
  const key = body['api_key'];
  if (typeof key !== 'object' || key === null || Array.isArray(key)) throw errors.xContentParse('Required [api_key]');
  const wanted = parseNewKey(key as Json, visibleOf(request.params.text('refresh')));
  return ok(await apiKeys.create(wanted, await grantedUser(request, services, body)));
}

async function get(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const { apiKeys } = keysOf(services);
  const id = params.text('id');
  const named = {
    ids: id === null ? null : [id],
    name: params.text('name'),
    username: params.text('username'),
    realmName: params.text('realm_name'),
    owner: params.boolean('owner', false),
  };
  const filter = permittedKeys(request, `${ACTION}/get`, named, params.boolean('active_only', false));
  const found = await apiKeys.find(filter, params.boolean('with_limited_by', false));
  return { status: found.length === 0 && id !== null ? 404 : 200, json: { api_keys: found } };
}

async function query(request: RestRequest, services: Services): Promise<RestResponse> {
  const { apiKeys } = keysOf(services);
  const isManager = request.subject.permissions.allowsCluster(`${ACTION}/query`);
  return ok(
    await apiKeys.query(
      objectBody(request),
      isManager ? null : callerOf(request),
      request.params.boolean('with_limited_by', false),
    ),
  );
}

function textOf(body: Json, key: string): string | null {
  const value = body[key];
  return value === undefined || value === null ? null : String(value);
}

async function invalidate(request: RestRequest, services: Services): Promise<RestResponse> {
  const { apiKeys } = keysOf(services);
  const body = objectBody(request);
  checkKeys(body, ['ids', 'id', 'name', 'owner', 'username', 'realm_name'], (key) =>
    errors.xContentParse(`[invalidate_api_key] unknown field [${key}]`),
  );
  const named = {
    ids: idsOf(body),
    name: textOf(body, 'name'),
    username: textOf(body, 'username'),
    realmName: textOf(body, 'realm_name'),
    owner: ownerOf(body),
  };
  if (
    !named.owner &&
    named.ids === null &&
    named.name === null &&
    named.username === null &&
    named.realmName === null
  ) {
    failValidation([
      'One of [api key id(s), api key name, username, realm name] must be specified if [owner] flag is false',
    ]);
  }
  return ok(await apiKeys.invalidate(permittedKeys(request, `${ACTION}/invalidate`, named, false)));
}

async function update(request: RestRequest, services: Services): Promise<RestResponse> {
  const { apiKeys } = keysOf(services);
  const body = objectBody(request);
  checkKeys(body, ['role_descriptors', 'metadata'], (key) =>
    errors.xContentParse(`[update_api_key_request] unknown field [${key}]`),
  );
  const { updated, problems } = await apiKeys.update(
    [request.pathParams['id']!],
    parseKeyChange(body),
    callerOf(request),
  );
  for (const problem of problems.values()) throw problem;
  return ok({ updated: updated.length > 0 });
}

function bulkAnswer({ updated, noops, problems }: KeyUpdates): Json {
  const details = Object.fromEntries([...problems].map(([id, problem]) => [id, renderCause(problem)]));
  return { updated, noops, ...(problems.size === 0 ? {} : { errors: { count: problems.size, details } }) };
}

async function bulkUpdate(request: RestRequest, services: Services): Promise<RestResponse> {
  const { apiKeys } = keysOf(services);
  const body = objectBody(request);
  checkKeys(body, ['ids', 'role_descriptors', 'metadata'], (key) =>
    errors.xContentParse(`[bulk_update_api_key_request] unknown field [${key}]`),
  );
  const ids = idsOf(body);
  if (ids === null) failValidation(['Field [ids] cannot be empty']);
  return ok(bulkAnswer(await apiKeys.update(ids!, parseKeyChange(body), callerOf(request))));
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
