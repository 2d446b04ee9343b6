import type { TaskAnswers } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import {
  newServiceToken,
  renderRoleDescriptor,
  secretHash,
  SERVICE_ACCOUNT_ROLES,
  SERVICE_TOKENS_SECTION,
  serviceTokenNames,
} from '@shoal/security';
import { pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { clearedAnswer } from '../security/cleared-answer.js';
import { deleteEntry } from '../security/delete-entry.js';
import { failValidation, securityOf } from '../security/security-of.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/service_account';
const NAME_RULE =
  'service account token name must have at least 1 character and at most 256 characters that are alphanumeric ' +
  '(A-Z, a-z, 0-9) or hyphen (-) or underscore (_). It must not begin with an underscore (_).';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

function accountOf({ pathParams }: RestRequest): string {
  return `${pathParams['namespace']}/${pathParams['service']}`;
}

function existingAccount(request: RestRequest): string {
  const account = accountOf(request);
  if (!SERVICE_ACCOUNT_ROLES.has(account)) throw errors.illegalArgument(`service account [${account}] does not exist`);
  return account;
}

/** Service accounts of a namespace, or one account; all without a namespace. */
function list({ pathParams }: RestRequest): RestResponse {
  const { namespace, service } = pathParams;
  const chosen = [...SERVICE_ACCOUNT_ROLES].filter(
    ([name]) =>
      (namespace === undefined || name.startsWith(`${namespace}/`)) &&
      (service === undefined || name.endsWith(`/${service}`)),
  );
  return ok(Object.fromEntries(chosen.map(([name, role]) => [name, { role_descriptor: renderRoleDescriptor(role) }])));
}

async function createToken(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const { random, clock } = securityOf(services);
  const account = existingAccount(request);
  const name = request.pathParams['name'] ?? `token_${Buffer.from(random.bytes(12)).toString('base64url')}`;
  if (!/^[A-Za-z0-9-][\w-]{0,255}$/.test(name)) failValidation([NAME_RULE]);
  const { text, secret } = newServiceToken(random, account, name);
  const key = `${account}/${name}`;
  const { applied } = (await services.cluster.submit('merge-entry', {
    section: SERVICE_TOKENS_SECTION,
    name: key,
    value: { hash: secretHash(secret), created: clock.now() },
    only: 'absent',
  })) as TaskAnswers['merge-entry'];
  if (!applied)
    throw errors.versionConflict(
      `[service_account_token-${key}]: version conflict, document already exists (current version [1])`,
    );
  return ok({ created: true, token: { name, value: text } });
}

function deleteToken(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  return deleteEntry(services, SERVICE_TOKENS_SECTION, `${accountOf(request)}/${request.pathParams['name']}`);
}

function credentials(request: RestRequest, services: Services): RestResponse {
  const account = existingAccount(request);
  const { nodes } = services.cluster.state();
  const names = serviceTokenNames(services.cluster.state(), account).sort();
  return ok({
    service_account: account,
    count: names.length,
    tokens: Object.fromEntries(names.map((name) => [name, {}])),
    nodes_credentials: { _nodes: { total: nodes.size, successful: nodes.size, failed: 0 }, file_tokens: {} },
  });
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
