import type { ClusterService } from '@shoal/cluster';
import { errors, toApiError } from '@shoal/errors';
import { isPlainObject, type Json, type JsonObject } from '@shoal/json';
import { matchesAny } from '@shoal/values';
import { sectionEntry } from '@shoal/state';
import { failValidation } from '../body-checks.js';
import { hasPrivileges, parsePrivilegeQuestions } from '../permissions/has-privileges.js';
import type { Subject } from '../subject.js';
import {
  type ApplicationPrivilege,
  applicationPrivileges,
  checkApplicationAction,
  checkApplicationName,
  checkPrivilegeName,
  privilegeKey,
} from './application-privileges.js';
import { CLUSTER_PRIVILEGES } from './cluster-privileges.js';
import { INDEX_PRIVILEGES } from './index-privileges.js';

/** Names of the built-in privileges, as `GET /_security/privilege/_builtin` lists them. */
export const BUILT_IN_PRIVILEGES = { cluster: CLUSTER_PRIVILEGES, index: INDEX_PRIVILEGES };

const SECURITY = 'cluster:admin/xpack/security';
const SECTION = 'securityPrivileges';

/**
 * Registered application privileges, as the calls of `/_security/privilege` show and change them, and the question
 * which privileges a caller has. Each call throws the 403 if `by` lacks the privilege for one of the applications.
 */
export interface Privileges {
  /** Creates or replaces privileges, one after the other; returns `{application: {name: {created}}}`. */
  put(by: Subject, body: JsonObject): Promise<Json>;
  /**
   * Privileges in the form of the API, by application and name. `application` may be a pattern; undefined matches all,
   * and so does an empty list of names or patterns of names.
   */
  get(by: Subject, application: string | undefined, names: readonly string[]): Json;
  /** Deletes privileges; returns `{application: {name: {found}}}`, and whether any existed. */
  remove(
    by: Subject,
    application: string,
    names: readonly string[],
  ): Promise<{ readonly existed: boolean; readonly json: Json }>;
  /**
   * Answer of `_has_privileges` for the body's questions about `by`. Throws if `username` is another user; the body is
   * read afterwards.
   */
  has(by: Subject, username: string | undefined, body: () => unknown): Json;
}

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
function checkApplications(by: Subject, operation: 'get' | 'put' | 'delete', names: readonly string[]): void {
  const action = `${SECURITY}/privilege/${operation}`;
  if (!by.permissions.allowsForApplications(action, names)) throw by.denied(action);
}

function nested(map: ReadonlyMap<string, ReadonlyMap<string, unknown>>): JsonObject {
  return Object.fromEntries([...map].map(([name, inner]) => [name, Object.fromEntries(inner)]));
}

async function put(cluster: ClusterService, by: Subject, body: JsonObject): Promise<Json> {
  const privileges = Object.keys(body).flatMap((application) => {
    const own = objectAt(body, application, 'application');
    return Object.keys(own).map((name) => parsePrivilege(application, name, objectAt(own, name, 'privilege')));
  });
  checkApplications(by, 'put', Object.keys(body));
  failValidation(
    privileges.length === 0 ? ['At least one application privilege must be provided'] : privileges.flatMap(faultsOf),
  );
  const created = new Map<string, Map<string, { readonly created: boolean }>>();
  for (const privilege of privileges) {
    const key = privilegeKey(privilege.application, privilege.name);
    const isNew = sectionEntry(cluster.state(), SECTION, key) === undefined;
    await cluster.submit('put-entry', { section: SECTION, name: key, value: privilege });
    created.set(
      privilege.application,
      (created.get(privilege.application) ?? new Map<string, { readonly created: boolean }>()).set(privilege.name, {
        created: isNew,
      }),
    );
  }
  return nested(created);
}

function get(cluster: ClusterService, by: Subject, application: string | undefined, names: readonly string[]): Json {
  checkApplications(by, 'get', application === undefined ? [] : [application]);
  const found = new Map<string, Map<string, unknown>>();
  for (const privilege of applicationPrivileges(cluster.state(), application ?? '*')) {
    if (names.length > 0 && !matchesAny(names, privilege.name)) continue;
    found.set(
      privilege.application,
      (found.get(privilege.application) ?? new Map<string, unknown>()).set(privilege.name, privilege),
    );
  }
  return nested(found);
}

/** Whether a caller has privileges. The privileges of another user are not revealed. */
function has(cluster: ClusterService, by: Subject, username: string | undefined, body: () => unknown): Json {
  if (username !== undefined && username !== by.authentication?.user.username) {
    const action = `${SECURITY}/user/has_privileges`;
    throw by.permissions.allowsCluster(action)
      ? errors.illegalArgument('users may only check the privileges of their own account')
      : by.denied(action);
  }
  return hasPrivileges(by, parsePrivilegeQuestions(body()), cluster.state());
}

/** Creates the application privileges of a cluster. */
export function createPrivileges(cluster: ClusterService): Privileges {
  return {
    put: (by, body) => put(cluster, by, body),
    get: (by, application, names) => get(cluster, by, application, names),
    async remove(by, application, names) {
      checkApplications(by, 'delete', [application]);
      const existing = new Set(applicationPrivileges(cluster.state(), application, names).map(({ name }) => name));
      const keys = [...existing].map((name) => privilegeKey(application, name));
      if (keys.length > 0) await cluster.submit('delete-entries', { section: SECTION, names: keys });
      const json = nested(
        new Map([[application, new Map(names.map((name) => [name, { found: existing.has(name) }]))]]),
      );
      return { existed: existing.size > 0, json };
    },
    has: (by, username, body) => has(cluster, by, username, body),
  };
}
