import { objectBody, pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { deleted } from '../security/deleted.js';
import { securityOf } from '../security/security-of.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/role_mapping';

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const created = await securityOf(services).roleMappings.put(request.pathParams['name']!, objectBody(request));
  return { status: 200, json: { role_mapping: { created } } };
}

function get(request: RestRequest, services: Services): RestResponse {
  const names = pathList(request, 'name');
  const json = securityOf(services).roleMappings.get(names);
  return { status: Object.keys(json).length === 0 && names.length > 0 ? 404 : 200, json };
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  return deleted(await securityOf(services).roleMappings.remove(request.pathParams['name']!));
}

const PATH = '/_security/role_mapping/{name}';

export const routes: readonly Route<Services>[] = [
  {
    methods: ['PUT', 'POST'],
    path: PATH,
    name: 'security.put_role_mapping',
    body: 'required',
    privilege: `${ACTION}/put`,
    parameters: ['refresh'],
    handle: put,
  },
  ...['/_security/role_mapping', PATH].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'security.get_role_mapping',
      body: 'none',
      privilege: `${ACTION}/get`,
      parameters: [],
      handle: get,
    }),
  ),
  {
    methods: ['DELETE'],
    path: PATH,
    name: 'security.delete_role_mapping',
    body: 'none',
    privilege: `${ACTION}/delete`,
    parameters: ['refresh'],
    handle: remove,
  },
];
