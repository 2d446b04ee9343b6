import { pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { clearedAnswer } from '../security/cleared-answer.js';
import { deleted } from '../security/deleted.js';
import { securityOf } from '../security/security-of.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/service_account';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

function accountOf({ pathParams }: RestRequest): string {
  return `${pathParams['namespace']}/${pathParams['service']}`;
}

/** Service accounts of a namespace, or one account; all without a namespace. */
function list({ pathParams }: RestRequest, services: Services): RestResponse {
  return ok(securityOf(services).serviceAccounts.get(pathParams['namespace'], pathParams['service']));
}

async function createToken(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const { serviceAccounts } = securityOf(services);
  const token = await serviceAccounts.createToken(accountOf(request), request.pathParams['name']);
  return ok({ created: true, token });
}

async function deleteToken(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const { serviceAccounts } = securityOf(services);
  return deleted(await serviceAccounts.removeToken(accountOf(request), request.pathParams['name']!));
}

function credentials(request: RestRequest, services: Services): RestResponse {
  return ok(securityOf(services).serviceAccounts.credentials(accountOf(request)));
}

function clearCache(request: RestRequest, services: Services): Promise<RestResponse> {
  const account = accountOf(request);
  const names = pathList(request, 'name');
  return clearedAnswer(
    services,
    names.includes('*') ? ['_service_account'] : names.map((name) => `service:${account}/${name}`),
  );
}

const TOKEN = '/_security/service/{namespace}/{service}/credential/token';

export const routes: readonly Route<Services>[] = [
  ...['/_security/service', '/_security/service/{namespace}', '/_security/service/{namespace}/{service}'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'security.get_service_accounts',
      body: 'none',
      privilege: `${ACTION}/get`,
      parameters: [],
      handle: list,
    }),
  ),
  {
    methods: ['POST'],
    path: TOKEN,
    name: 'security.create_service_token',
    body: 'none',
    privilege: `${ACTION}/token/create`,
    parameters: ['refresh'],
    handle: createToken,
  },
  {
    methods: ['PUT', 'POST'],
    path: `${TOKEN}/{name}`,
    name: 'security.create_service_token',
    body: 'none',
    privilege: `${ACTION}/token/create`,
    parameters: ['refresh'],
    handle: createToken,
  },
  {
    methods: ['DELETE'],
    path: `${TOKEN}/{name}`,
    name: 'security.delete_service_token',
    body: 'none',
    privilege: `${ACTION}/token/delete`,
    parameters: ['refresh'],
    handle: deleteToken,
  },
  {
    methods: ['GET'],
    path: '/_security/service/{namespace}/{service}/credential',
    name: 'security.get_service_credentials',
    body: 'none',
    privilege: `${ACTION}/credential/get`,
    parameters: [],
    handle: credentials,
  },
  {
    methods: ['POST'],
    path: `${TOKEN}/{name}/_clear_cache`,
    name: 'security.clear_cached_service_tokens',
    body: 'none',
    privilege: 'cluster:admin/xpack/security/cache/clear',
    parameters: [],
    handle: clearCache,
  },
];
