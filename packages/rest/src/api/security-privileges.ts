import { sectionEntry, matchesAny } from '@shoal/state';
import { errors, toApiError } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import {
  type ApplicationPrivilege,
  applicationPrivileges,
  checkApplicationAction,
  checkApplicationName,
  checkPrivilegeName,
  CLUSTER_PRIVILEGES,
  hasPrivileges,
  INDEX_PRIVILEGES,
  parsePrivilegeQuestions,
  privilegeKey,
  userPrivileges,
} from '@shoal/security';
import { objectBody, pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const SECURITY = 'cluster:admin/xpack/security';
const SECTION = 'securityPrivileges';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

function objectAt(json: JsonObject, key: string, what: string): JsonObject {
  const value = json[key];
  if (!isPlainObject(value)) throw errors.parse(`expected ${what} [${key}] to be an object`);
  return value;
}

function parsePrivilege(application: string, name: string, json: JsonObject): ApplicationPrivilege {
  const unexpected = Object.keys(json).find((key) => !['application', 'name', 'actions', 'metadata'].includes(key));
  if (unexpected !== undefined) throw errors.xContentParse(`[application_privilege] unknown field [${unexpected}]`);
  for (const [key, given] of [
    ['application', application],
    ['name', name],
  ] as const) {
    if (json[key] !== undefined && json[key] !== given)
      throw errors.illegalArgument(
        `privilege [${name}] of application [${application}] does not match its ${key} [${String(json[key])}]`,
      );
  }
  const { actions, metadata = {} } = json;
  if (!Array.isArray(actions) || actions.some((action) => typeof action !== 'string'))
    throw errors.xContentParse('[application_privilege] failed to parse field [actions]');
  if (!isPlainObject(metadata)) throw errors.xContentParse('[application_privilege] failed to parse field [metadata]');
  return { application, name, actions: actions as string[], metadata };
}

function faultsOf({ application, name, actions, metadata }: ApplicationPrivilege): string[] {
  const checks = [
    () => checkApplicationName(application),
    () => checkPrivilegeName(name),
    ...actions.map((action) => () => checkApplicationAction(action)),
    () => {
      if (application.includes('*'))
        throw errors.illegalArgument(`Application names may not contain wildcards (found '${application}')`);
      if (actions.length === 0) throw errors.illegalArgument('Application privileges must have at least one action');
      if (Object.keys(metadata).some((key) => key.startsWith('_')))
        throw errors.illegalArgument('metadata keys may not start with [_]');
    },
  ];
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      return [toApiError(error).message];
    }
  });
}

/**
 * Throws unless the caller may do this for all of these applications; a role may grant it for some applications only.
 */
function checkApplications(
  { subject }: RestRequest,
  operation: 'get' | 'put' | 'delete',
  names: readonly string[],
): void {
  const action = `${SECURITY}/privilege/${operation}`;
  if (!subject.permissions.allowsForApplications(action, names)) throw subject.denied(action);
}

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const body = objectBody(request);
  const privileges = Object.keys(body).flatMap((application) => {
    const own = objectAt(body, application, 'application');
    return Object.keys(own).map((name) => parsePrivilege(application, name, objectAt(own, name, 'privilege')));
  });
  checkApplications(request, 'put', Object.keys(body));
  const faults =
    privileges.length === 0 ? ['At least one application privilege must be provided'] : privileges.flatMap(faultsOf);
  if (faults.length > 0)
    throw errors.actionRequestValidation(
      `Validation Failed: ${faults.map((text, i) => `${i + 1}: ${text};`).join('')}`,
    );
  const created = new Map<string, Map<string, { readonly created: boolean }>>();
  for (const privilege of privileges) {
    const key = privilegeKey(privilege.application, privilege.name);
    const isNew = sectionEntry(services.cluster.state(), SECTION, key) === undefined;
    await services.cluster.submit('put-entry', { section: SECTION, name: key, value: privilege });
    created.set(
      privilege.application,
      (created.get(privilege.application) ?? new Map<string, { readonly created: boolean }>()).set(privilege.name, {
        created: isNew,
      }),
    );
  }
  return ok(nested(created));
}

function nested(map: ReadonlyMap<string, ReadonlyMap<string, unknown>>): JsonObject {
  return Object.fromEntries([...map].map(([name, inner]) => [name, Object.fromEntries(inner)]));
}

function get(request: RestRequest, services: Services): RestResponse {
  const application = request.pathParams['application'];
  checkApplications(request, 'get', application === undefined ? [] : [application]);
  const names = pathList(request, 'name');
  const found = new Map<string, Map<string, unknown>>();
  for (const privilege of applicationPrivileges(services.cluster.state(), application ?? '*')) {
    if (names.length > 0 && !matchesAny(names, privilege.name)) continue;
    found.set(
      privilege.application,
      (found.get(privilege.application) ?? new Map<string, unknown>()).set(privilege.name, privilege),
    );
  }
  return { status: found.size === 0 && application !== undefined && names.length > 0 ? 404 : 200, json: nested(found) };
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const application = request.pathParams['application']!;
  checkApplications(request, 'delete', [application]);
  const names = pathList(request, 'name');
  const existing = new Set(applicationPrivileges(services.cluster.state(), application, names).map(({ name }) => name));
  const keys = [...existing].map((name) => privilegeKey(application, name));
  if (keys.length > 0) await services.cluster.submit('delete-entries', { section: SECTION, names: keys });
  return {
    status: existing.size === 0 ? 404 : 200,
    json: nested(new Map([[application, new Map(names.map((name) => [name, { found: existing.has(name) }]))]])),
  };
}

/** Whether a caller has privileges. The privileges of another user are not revealed. */
function has(request: RestRequest, services: Services): RestResponse {
  const { subject } = request;
  const username = request.pathParams['username'];
  const own = subject.authentication?.user.username;
  if (username !== undefined && username !== own) {
    const action = `${SECURITY}/user/has_privileges`;
    throw subject.permissions.allowsCluster(action)
      ? errors.illegalArgument('users may only check the privileges of their own account')
      : subject.denied(action);
  }
  return ok(hasPrivileges(subject, parsePrivilegeQuestions(request.json()), services.cluster.state()));
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
    handle: () => ok({ cluster: CLUSTER_PRIVILEGES, index: INDEX_PRIVILEGES }),
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
