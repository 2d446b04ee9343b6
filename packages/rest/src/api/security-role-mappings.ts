import type { TaskAnswers } from '@shoal/cluster';
import { section } from '@shoal/state';
import { parseRoleMapping, ROLE_MAPPINGS_SECTION, type RoleMapping } from '@shoal/security';
import { objectBody, pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { deleteEntry } from '../security/delete-entry.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/role_mapping';

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const mapping = parseRoleMapping(objectBody(request));
  const { created } = (await services.cluster.submit('merge-entry', {
    section: ROLE_MAPPINGS_SECTION,
    name: request.pathParams['name']!,
    value: { ...mapping },
    only: null,
  })) as TaskAnswers['merge-entry'];
  return { status: 200, json: { role_mapping: { created } } };
}

function get(request: RestRequest, services: Services): RestResponse {
  const all = section(services.cluster.state(), ROLE_MAPPINGS_SECTION) as Readonly<Record<string, RoleMapping>>;
  const names = pathList(request, 'name');
  const found = Object.entries(all).filter(([name]) => names.length === 0 || names.includes(name));
  return { status: found.length === 0 && names.length > 0 ? 404 : 200, json: Object.fromEntries(found) };
}

function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  return deleteEntry(services, ROLE_MAPPINGS_SECTION, request.pathParams['name']!);
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
