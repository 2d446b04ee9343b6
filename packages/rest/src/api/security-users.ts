import { authenticationJson } from '@shoal/security';
import { objectBody, pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { deleted } from '../security/deleted.js';
import { callerOf, securityOf } from '../security/security-of.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/user';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

async function putUser(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  return ok(await securityOf(services).users.put(request.pathParams['username']!, () => objectBody(request)));
}

async function getUsers(request: RestRequest, services: Services): Promise<RestResponse> {
  const withProfileUid = request.params.boolean('with_profile_uid', false);
  const names = pathList(request, 'username');
  const json = await securityOf(services).users.get(names, withProfileUid);
  return { status: Object.keys(json).length === 0 && names.length > 0 ? 404 : 200, json };
}

async function deleteUser(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  return deleted(await securityOf(services).users.remove(request.pathParams['username']!));
}

async function changePassword(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const username = request.pathParams['username'] ?? callerOf(request).user.username;
  await securityOf(services).users.changePassword(request.subject, username, () => objectBody(request));
  return ok({});
}

async function setEnabled(request: RestRequest, services: Services, enabled: boolean): Promise<RestResponse> {
  request.params.text('refresh');
  const by = callerOf(request).user.username;
  await securityOf(services).users.setEnabled(by, request.pathParams['username']!, enabled);
  return ok({});
}

const REFRESH = ['refresh'];

function changes(
  path: string,
  name: string,
  action: string,
  handle: Route<Services>['handle'],
  body: Route<Services>['body'],
): Route<Services> {
  return { methods: ['PUT', 'POST'], path, name, body, privilege: `${ACTION}/${action}`, parameters: REFRESH, handle };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/_security/_authenticate',
    name: 'security.authenticate',
    body: 'none',
    privilege: `${ACTION}/authenticate`,
    parameters: [],
    handle: (request) => ok(authenticationJson(callerOf(request))),
  },
  changes('/_security/user/{username}', 'security.put_user', 'put', putUser, 'required'),
  ...['/_security/user', '/_security/user/{username}'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'security.get_user',
      body: 'none',
      privilege: `${ACTION}/get`,
      parameters: ['with_profile_uid'],
      handle: getUsers,
    }),
  ),
  {
    methods: ['DELETE'],
    path: '/_security/user/{username}',
    name: 'security.delete_user',
    body: 'none',
    privilege: `${ACTION}/delete`,
    parameters: REFRESH,
    handle: deleteUser,
  },
  ...['/_security/user/_password', '/_security/user/{username}/_password'].map((path) =>
    changes(path, 'security.change_password', 'change_password', changePassword, 'optional'),
  ),
  changes(
    '/_security/user/{username}/_enable',
    'security.enable_user',
    'set_enabled',
    (request, services) => setEnabled(request, services, true),
    'none',
  ),
  changes(
    '/_security/user/{username}/_disable',
    'security.disable_user',
    'set_enabled',
    (request, services) => setEnabled(request, services, false),
    'none',
  ),
];
