import { objectBody, pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { deleted } from '../security/deleted.js';
import { securityOf } from '../security/security-of.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/role';

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const created = await securityOf(services).roles.put(request.pathParams['name']!, () => objectBody(request));
  return { status: 200, json: { role: { created } } };
}

function get(request: RestRequest, services: Services): RestResponse {
  const names = pathList(request, 'name');
  const json = securityOf(services).roles.get(names);
  return { status: Object.keys(json).length === 0 && names.length > 0 ? 404 : 200, json };
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  return deleted(await securityOf(services).roles.remove(request.pathParams['name']!));
}

/** A role is checked in one piece, stays in memory and is asked for each name that a request of its users has. */
const ROLE_BYTES_MAX = 1_048_576;

const NAMED = '/_security/role/{name}';

export const routes: readonly Route<Services>[] = [
  {
    methods: ['PUT', 'POST'],
    path: NAMED,
    name: 'security.put_role',
    body: 'required',
    bodyBytesMax: ROLE_BYTES_MAX,
    privilege: `${ACTION}/put`,
    parameters: ['refresh'],
    handle: put,
  },
  ...['/_security/role', NAMED].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'security.get_role',
      body: 'none',
      privilege: `${ACTION}/get`,
      parameters: [],
      handle: get,
    }),
  ),
  {
    methods: ['DELETE'],
    path: NAMED,
    name: 'security.delete_role',
    body: 'none',
    privilege: `${ACTION}/delete`,
    parameters: ['refresh'],
    handle: remove,
  },
];
