import type { ClusterService } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import type { Json, JsonObject } from '@shoal/json';
import type { User } from '../authentication.js';
import { checkKeys, failValidation } from '../body-checks.js';
import type { Passwords } from '../passwords/passwords.js';
import { profileUid } from '../profiles/profile-record.js';
import type { Profiles } from '../profiles/profiles.js';
import type { Realms } from '../realms/realm.js';
import { deleteEntry, mergeEntry } from '../section-entries.js';
import type { SecuritySettings } from '../settings.js';
import type { Subject } from '../subject.js';
import { isReserved, RESERVED_USERNAMES, reservedUser } from './reserved-users.js';
import { nativeUserOf, storedUser, storedUserNames, USERS_SECTION } from './stored-user.js';
import { checkUsername, parseUser, passwordOf } from './user-body.js';
import { userToJson } from './user-json.js';

/**
 * Native and built-in users, as the calls of `/_security/user` show and change them. Bodies are functions, because a
 * name that is refused must be refused before the body is parsed.
 */
export interface Users {
  /** Creates or changes a native user; returns `{created}`. Throws for names and bodies that 8.12 refuses. */
  put(username: string, body: () => JsonObject): Promise<Json>;
  /** Users in the form of the API, by name; all users if `names` is empty. Unknown names are left out. */
  get(names: readonly string[], withProfileUid: boolean): Promise<Json>;
  /** Deletes a native user; returns whether it existed. Throws illegal_argument_exception for built-in users. */
  remove(username: string): Promise<boolean>;
  /** Sets the password of the body. Throws the 403 if `by` is neither the user itself nor may change others. */
  changePassword(by: Subject, username: string, body: () => JsonObject): Promise<void>;
  /** Enables or disables a user other than the caller, whose name is `by`. Throws if the user does not exist. */
  setEnabled(by: string, username: string, enabled: boolean): Promise<void>;
  /**
   * Stores the password that `make` returns as the first one of a built-in user, and returns it. Returns null, and
   * changes nothing, if the user has an entry already.
   */
  putFirstPassword(username: string, make: () => string): Promise<string | null>;
}

/** Dependencies of `createUsers`. */
export interface UsersOptions {
  readonly cluster: ClusterService;
  readonly settings: SecuritySettings;
  readonly passwords: Passwords;
  readonly profiles: Profiles;
  readonly realms: Realms;
}

const CHANGE_PASSWORD = 'cluster:admin/xpack/security/user/change_password';

function refuseAnonymous({ settings }: UsersOptions, username: string, refusal: string): void {
  if (settings.anonymous?.username === username)
    throw errors.illegalArgument(`user [${username}] is anonymous and cannot be ${refusal}`);
}

async function put(options: UsersOptions, username: string, read: () => JsonObject): Promise<Json> {
  if (isReserved(username))
    throw errors.illegalArgument(`user [${username}] is reserved and only the password can be changed`);
  refuseAnonymous(options, username, 'modified via the API');
  checkUsername(username);
  const body = read();
  const user = parseUser(body, username);
  const hash = await passwordOf(body, options.passwords);
  const { applied, created } = await mergeEntry(options.cluster, {
    section: USERS_SECTION,
    name: username,
    value: { ...user, ...(hash === null ? {} : { hash }) },
    only: hash === null ? 'present' : null,
  });
  if (!applied) failValidation(['password must be specified unless you are updating an existing user'], 'validation');
  return { created };
}

function userNamed({ cluster, settings }: UsersOptions, username: string): User | null {
  const state = cluster.state();
  const reserved = settings.reservedRealmEnabled ? reservedUser(state, username) : null;
  const stored = isReserved(username) ? null : storedUser(state, username);
  return reserved ?? (stored && nativeUserOf(username, stored));
}

/** Profile uids by username. */
async function profileUids(
  { profiles, realms }: UsersOptions,
  users: readonly User[],
): Promise<ReadonlyMap<string, string>> {
  const refOf = (type: string) => realms.byPassword.find(({ ref }) => ref.type === type)?.ref ?? { name: type, type };
  const uids = users.map(
    ({ username }) => [username, profileUid(username, refOf(isReserved(username) ? 'reserved' : 'native'))] as const,
  );
  const found = await profiles.find(uids.map(([, uid]) => uid));
  return new Map(uids.filter(([, uid]) => found.get(uid) !== null));
}

async function get(options: UsersOptions, asked: readonly string[], withProfileUid: boolean): Promise<Json> {
  const names =
    asked.length > 0
      ? asked
      : [...RESERVED_USERNAMES, ...storedUserNames(options.cluster.state()).filter((name) => !isReserved(name))];
  const found = [...new Set(names)].flatMap((name) => userNamed(options, name) ?? []);
  const uids = withProfileUid ? await profileUids(options, found) : new Map<string, string>();
  return Object.fromEntries(
    found.map((user) => [
      user.username,
      { ...userToJson(user), ...(uids.has(user.username) ? { profile_uid: uids.get(user.username) } : {}) },
    ]),
  );
}

async function remove(options: UsersOptions, username: string): Promise<boolean> {
  if (isReserved(username)) throw errors.illegalArgument(`user [${username}] is reserved and cannot be deleted`);
  refuseAnonymous(options, username, 'deleted');
  return deleteEntry(options.cluster, USERS_SECTION, username);
}

/** Every user may change its own password; for another user's the privilege is needed. */
function checkMayChange({ authentication, permissions, denied }: Subject, username: string): void {
  const isSelf =
    authentication?.user.username === username &&
    authentication.type === 'realm' &&
    ['native', 'reserved'].includes(authentication.lookupRealm.type);
  if (!isSelf && !permissions.allowsCluster(CHANGE_PASSWORD)) throw denied(CHANGE_PASSWORD);
}

async function changePassword(
  options: UsersOptions,
  by: Subject,
  username: string,
  read: () => JsonObject,
): Promise<void> {
  checkMayChange(by, username);
  refuseAnonymous(options, username, 'modified via the API');
  const body = read();
  checkKeys(body, ['password', 'password_hash'], (key) =>
    errors.parse(`failed to parse change password request. unexpected field [${key}]`),
  );
  const hash = await passwordOf(body, options.passwords);
  if (hash === null) failValidation(['password cannot be null']);
  const { applied } = await mergeEntry(options.cluster, {
    section: USERS_SECTION,
    name: username,
    value: { hash },
    only: isReserved(username) ? null : 'present',
  });
  if (!applied) failValidation(['user must exist in order to change password'], 'validation');
}

async function setEnabled(options: UsersOptions, by: string, username: string, enabled: boolean): Promise<void> {
  if (by === username) throw errors.illegalArgument('users may not update the enabled status of their own account');
  refuseAnonymous(options, username, 'modified using the api');
  const { applied } = await mergeEntry(options.cluster, {
    section: USERS_SECTION,
    name: username,
    value: { enabled },
    only: isReserved(username) ? null : 'present',
  });
  if (!applied) failValidation([`only existing users can be ${enabled ? 'enabled' : 'disabled'}`], 'validation');
}

async function putFirstPassword(
  { cluster, passwords }: UsersOptions,
  username: string,
  make: () => string,
): Promise<string | null> {
  if (storedUser(cluster.state(), username) !== null) return null;
  const password = make();
  const hash = await passwords.hash(password);
  const { applied } = await mergeEntry(cluster, {
    section: USERS_SECTION,
    name: username,
    value: { hash },
    only: 'absent',
  });
  return applied ? password : null;
}

/** Creates the users of a cluster. */
export function createUsers(options: UsersOptions): Users {
  return {
    put: (username, body) => put(options, username, body),
    get: (names, withProfileUid) => get(options, names, withProfileUid),
    remove: (username) => remove(options, username),
    changePassword: (by, username, body) => changePassword(options, by, username, body),
    setEnabled: (by, username, enabled) => setEnabled(options, by, username, enabled),
    putFirstPassword: (username, make) => putFirstPassword(options, username, make),
  };
}
