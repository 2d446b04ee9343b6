import type { TaskAnswers, TaskBodies } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import {
  isReserved,
  nativeUserOf,
  profileUid,
  RESERVED_USERNAMES,
  reservedUser,
  storedUser,
  storedUserNames,
  type User,
  USERS_SECTION,
  userToJson,
} from '@shoal/security';
import { objectBody, pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { deleteEntry } from '../security/delete-entry.js';
import { authenticationJson, callerOf, checkKeys, failValidation, securityOf } from '../security/security-of.js';
import { checkUsername, parseUser, passwordOf } from '../security/user-body.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/user';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

async function merge(
  services: Services,
  body: Omit<TaskBodies['merge-entry'], 'section'>,
): Promise<TaskAnswers['merge-entry']> {
  return (await services.cluster.submit('merge-entry', {
    section: USERS_SECTION,
    ...body,
  })) as TaskAnswers['merge-entry'];
}

function isAnonymous(services: Services, username: string): boolean {
  return securityOf(services).settings.anonymous?.username === username;
}

async function putUser(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const username = request.pathParams['username']!;
  if (isReserved(username))
    throw errors.illegalArgument(`user [${username}] is reserved and only the password can be changed`);
  if (isAnonymous(services, username))
    throw errors.illegalArgument(`user [${username}] is anonymous and cannot be modified via the API`);
  checkUsername(username);
  const body = objectBody(request);
  const user = parseUser(body, username);
  const hash = await passwordOf(body, securityOf(services).passwords);
  const { applied, created } = await merge(services, {
    name: username,
    value: { ...user, ...(hash === null ? {} : { hash }) },
    only: hash === null ? 'present' : null,
  });
  if (!applied) failValidation(['password must be specified unless you are updating an existing user'], 'validation');
  return ok({ created });
}

function userNamed(services: Services, username: string): User | null {
  const state = services.cluster.state();
  const reserved = securityOf(services).settings.reservedRealmEnabled ? reservedUser(state, username) : null;
  const stored = isReserved(username) ? null : storedUser(state, username);
  return reserved ?? (stored && nativeUserOf(username, stored));
}

/** Profile uids by username. */
async function profileUids(services: Services, users: readonly User[]): Promise<ReadonlyMap<string, string>> {
  const { profiles, realms } = securityOf(services);
  const refOf = (type: string) => realms.byPassword.find(({ ref }) => ref.type === type)?.ref ?? { name: type, type };
  const uids = users.map(
    ({ username }) => [username, profileUid(username, refOf(isReserved(username) ? 'reserved' : 'native'))] as const,
  );
  const found = await profiles.find(uids.map(([, uid]) => uid));
  return new Map(uids.filter(([, uid]) => found.get(uid) !== null));
}

async function getUsers(request: RestRequest, services: Services): Promise<RestResponse> {
  const isWithUid = request.params.boolean('with_profile_uid', false);
  const asked = pathList(request, 'username');
  const names =
    asked.length > 0
      ? asked
      : [...RESERVED_USERNAMES, ...storedUserNames(services.cluster.state()).filter((name) => !isReserved(name))];
  const found = [...new Set(names)].flatMap((name) => userNamed(services, name) ?? []);
  const uids = isWithUid ? await profileUids(services, found) : new Map<string, string>();
  const json = Object.fromEntries(
    found.map((user) => [
      user.username,
      { ...userToJson(user), ...(uids.has(user.username) ? { profile_uid: uids.get(user.username) } : {}) },
    ]),
  );
  return { status: found.length === 0 && asked.length > 0 ? 404 : 200, json };
}

function deleteUser(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const username = request.pathParams['username']!;
  if (isReserved(username)) throw errors.illegalArgument(`user [${username}] is reserved and cannot be deleted`);
  if (isAnonymous(services, username))
    throw errors.illegalArgument(`user [${username}] is anonymous and cannot be deleted`);
  return deleteEntry(services, USERS_SECTION, username);
}

/** Every user may change its own password; for another user's the privilege is needed. */
function checkMayChange({ subject }: RestRequest, username: string): void {
  const { authentication, permissions } = subject;
  const isSelf =
    authentication?.user.username === username &&
    authentication.type === 'realm' &&
    ['native', 'reserved'].includes(authentication.lookupRealm.type);
  if (!isSelf && !permissions.allowsCluster(`${ACTION}/change_password`))
    throw subject.denied(`${ACTION}/change_password`);
}

async function changePassword(request: RestRequest, services: Services): Promise<RestResponse> {
  request.params.text('refresh');
  const username = request.pathParams['username'] ?? callerOf(request).user.username;
  checkMayChange(request, username);
  if (isAnonymous(services, username))
    throw errors.illegalArgument(`user [${username}] is anonymous and cannot be modified via the API`);
  const body = objectBody(request);
  checkKeys(body, ['password', 'password_hash'], (key) =>
    errors.parse(`failed to parse change password request. unexpected field [${key}]`),
  );
  const hash = await passwordOf(body, securityOf(services).passwords);
  if (hash === null) failValidation(['password cannot be null']);
  const { applied } = await merge(services, {
    name: username,
    value: { hash },
    only: isReserved(username) ? null : 'present',
  });
  if (!applied) failValidation(['user must exist in order to change password'], 'validation');
  return ok({});
}

async function setEnabled(request: RestRequest, services: Services, enabled: boolean): Promise<RestResponse> {
  request.params.text('refresh');
  const username = request.pathParams['username']!;
  if (callerOf(request).user.username === username)
    throw errors.illegalArgument('users may not update the enabled status of their own account');
  if (isAnonymous(services, username))
    throw errors.illegalArgument(`user [${username}] is anonymous and cannot be modified using the api`);
  const { applied } = await merge(services, {
    name: username,
    value: { enabled },
    only: isReserved(username) ? null : 'present',
  });
  if (!applied) failValidation([`only existing users can be ${enabled ? 'enabled' : 'disabled'}`], 'validation');
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
