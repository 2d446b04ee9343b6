import { sectionEntry, section } from '@shoal/state';
import { errors } from '@shoal/errors';
import {
  BUILT_IN_ROLES,
  parseRoleDescriptor,
  renderRoleDescriptor,
  type RoleDescriptor,
  roleNameFault,
  roleOf,
  validateRole,
} from '@shoal/security';
import { objectBody, pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { deleteEntry } from '../security/delete-entry.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/role';
const SECTION = 'securityRoles';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

function refuseReserved(name: string, what: string): void {
  if (BUILT_IN_ROLES.has(name)) throw errors.illegalArgument(`role [${name}] is reserved and cannot be ${what}.`);
}

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const name = request.pathParams['name']!;
  refuseReserved(name, 'modified');
  const fault = roleNameFault(name);
  if (fault !== null) throw errors.actionRequestValidation(`Validation Failed: 1: ${fault};`);
  const role = parseRoleDescriptor(name, objectBody(request));
  validateRole(role);
  const created = sectionEntry(services.cluster.state(), SECTION, name) === undefined;
  await services.cluster.submit('put-entry', { section: SECTION, name, value: renderRoleDescriptor(role) });
  return ok({ role: { created } });
}

function wanted(services: Services, names: readonly string[]): readonly RoleDescriptor[] {
  const state = services.cluster.state();
  const all =
    names.length === 0
      ? [...BUILT_IN_ROLES.keys(), ...Object.keys(section(state, SECTION)).sort()]
      : [...new Set(names)];
  return all.flatMap((name) => roleOf(state, name) ?? []);
}

function get(request: RestRequest, services: Services): RestResponse {
  const names = pathList(request, 'name');
  const roles = wanted(services, names);
  const status = roles.length === 0 && names.length > 0 ? 404 : 200;
  return { status, json: Object.fromEntries(roles.map((role) => [role.name, renderRoleDescriptor(role)])) };
}

function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const name = request.pathParams['name']!;
  refuseReserved(name, 'deleted');
  return deleteEntry(services, SECTION, name);
}

const NAMED = '/_security/role/{name}';

export const routes: readonly Route<Services>[] = [
  {
    methods: ['PUT', 'POST'],
    path: NAMED,
    name: 'security.put_role',
    body: 'required',
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
