import { BUILT_IN_PRIVILEGES, userPrivileges } from '@shoal/security';
import { objectBody, pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { securityOf } from '../security/security-of.js';
import type { Services } from '../services.js';

const SECURITY = 'cluster:admin/xpack/security';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  return ok(await securityOf(services).privileges.put(request.subject, objectBody(request)));
}

function get(request: RestRequest, services: Services): RestResponse {
  const application = request.pathParams['application'];
  const names = pathList(request, 'name');
  const json = securityOf(services).privileges.get(request.subject, application, names);
  const isMissing = Object.keys(json).length === 0 && application !== undefined && names.length > 0;
  return { status: isMissing ? 404 : 200, json };
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const { privileges } = securityOf(services);
  const application = request.pathParams['application']!;
  const { existed, json } = await privileges.remove(request.subject, application, pathList(request, 'name'));
  return { status: existed ? 200 : 404, json };
}

function has(request: RestRequest, services: Services): RestResponse {
  const { privileges } = securityOf(services);
  return ok(privileges.has(request.subject, request.pathParams['username'], () => request.json()));
}

const PATHS = [
  '/_security/privilege',
  '/_security/privilege/{application}',
  '/_security/privilege/{application}/{name}',
];

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/_security/privilege/_builtin',
    name: 'security.get_builtin_privileges',
    body: 'none',
    privilege: `${SECURITY}/privilege/builtin/get`,
    parameters: [],
    handle: () => ok(BUILT_IN_PRIVILEGES),
  },
  ...PATHS.map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'security.get_privileges',
      body: 'none',
      privilege: `${SECURITY}/privilege/get`,
      parameters: [],
      handle: get,
    }),
  ),
  {
    methods: ['PUT', 'POST'],
    path: PATHS[0]!,
    name: 'security.put_privileges',
    body: 'required',
    privilege: `${SECURITY}/privilege/put`,
    parameters: ['refresh'],
    handle: put,
  },
  {
    methods: ['DELETE'],
    path: PATHS[2]!,
    name: 'security.delete_privileges',
    body: 'none',
    privilege: `${SECURITY}/privilege/delete`,
    parameters: ['refresh'],
    handle: remove,
  },
  ...['/_security/user/_has_privileges', '/_security/user/{username}/_has_privileges'].map(
    (path): Route<Services> => ({
      methods: ['GET', 'POST'],
      path,
      name: 'security.has_privileges',
      body: 'required',
      privilege: `${SECURITY}/user/has_privileges`,
      parameters: [],
      handle: has,
    }),
  ),
  {
    methods: ['GET'],
    path: '/_security/user/_privileges',
    name: 'security.get_user_privileges',
    body: 'none',
    privilege: `${SECURITY}/user/list_privileges`,
    parameters: [],
    handle: ({ subject }) => ok(userPrivileges(subject)),
  },
];
