import type { ClusterState, IndexAccess } from '@shoal/state';
import type { ApiError } from '@shoal/errors';
import type { Authentication, RealmRef, User } from '../authentication.js';
import { createSubject } from '../permissions/create-subject.js';
import type { PasswordRealm } from '../realms/realm.js';
import type { SecuritySettings } from '../settings.js';
import type { Subject } from '../subject.js';
import type { Refusals } from './refusals.js';
import { runAsDenied } from './run-as-denial.js';

const ANONYMOUS_REALM = { name: '__anonymous', type: '__anonymous' };

/** The authentication of requests without credentials; null if anonymous requests are off. */
export function anonymousAuthentication({ anonymous }: SecuritySettings): Authentication | null {
  if (anonymous === null) return null;
  const user = {
    username: anonymous.username,
    roles: anonymous.roles,
    fullName: null,
    email: null,
    metadata: { _reserved: true },
    enabled: true,
  };
  return {
    user,
    realm: ANONYMOUS_REALM,
    lookupRealm: ANONYMOUS_REALM,
    type: 'anonymous',
    apiKey: null,
    runAsBy: null,
    serviceAccount: null,
  };
}

/** Adds the roles of anonymous requests, which every user has too; API keys and service accounts do not have them. */
function withAnonymousRoles(authentication: Authentication, { anonymous }: SecuritySettings): Authentication {
  const { user, type, apiKey, serviceAccount } = authentication;
  if (anonymous === null || type === 'anonymous' || apiKey !== null || serviceAccount !== null) return authentication;
  return { ...authentication, user: { ...user, roles: [...new Set([...user.roles, ...anonymous.roles])] } };
}

/** The subject of an authentication, with its permissions in a state. */
export function subjectOf(authentication: Authentication, state: ClusterState, settings: SecuritySettings): Subject {
  return createSubject(withAnonymousRoles(authentication, settings), state);
}

/**
 * The subject of requests without credentials. If `authz_exception` is false, actions that it may not do are refused
 * with 401 in place of 403.
 */
export function anonymousSubject(
  authentication: Authentication,
  state: ClusterState,
  settings: SecuritySettings,
  refusals: Refusals,
): Subject {
  const subject = subjectOf(authentication, state, settings);
  if (settings.anonymous?.authzException !== false) return subject;
  const { permissions } = subject;
  const refuse = (action: string): ApiError => refusals.because(`action [${action}] requires authentication`);
  const indexAccess = (action: string): IndexAccess => ({
    ...permissions.indexAccess(action),
    refuse: () => refuse(action),
  });
  return { ...subject, denied: refuse, permissions: { ...permissions, indexAccess } };
}

/**
 * Whether credentials may act as another user. For other credentials the header `es-security-runas-user` is ignored, as
 * in 8.12.
 */
export function canActAsOthers({ type, runAsBy, serviceAccount }: Authentication): boolean {
  return runAsBy === null && serviceAccount === null && type !== 'anonymous';
}

/** A user and the realm that has it. */
export interface RealmUser {
  readonly user: User;
  readonly realm: RealmRef;
}

/** Finds a user in the first realm that has one of this name. */
export function findUser(realms: readonly PasswordRealm[], state: ClusterState, username: string): RealmUser | null {
  for (const realm of realms) {
    const known = realm.find(state, username);
    if (known !== null) return { user: known.user, realm: realm.ref };
  }
  return null;
}

/**
 * The authentication of a user that acts as another one; it has the other's roles only. Throws the 403 if the user's
 * own roles do not grant it.
 */
export function actingAs(
  authentication: Authentication,
  username: string,
  found: RealmUser | null,
  state: ClusterState,
  settings: SecuritySettings,
): Authentication {
  const { permissions, roles } = subjectOf(authentication, state, settings);
  const { user } = authentication;
  const action = 'cluster:admin/xpack/security/user/authenticate';
  const refused = (realm: string | null): ApiError =>
    runAsDenied(
      { by: authentication, username, realm, action },
      `action [${action}] is unauthorized for user [${user.username}] with effective roles [${roles
        .map(({ name }) => name)
        .sort()
        .join(',')}], because user [${user.username}] is unauthorized to run as [${username}]`,
    );
  if (!permissions.allowsRunAs(username)) throw refused(null);
  if (!found?.user.enabled) throw refused(found?.realm.name ?? null);
  return {
    ...authentication,
    user: found.user,
    lookupRealm: found.realm,
    runAsBy: user,
    apiKey: null,
    serviceAccount: null,
  };
}
