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

/** The authentication of requests without credentials; null when there are none. */
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

/** Everybody has the roles of anonymous requests too. */
function withAnonymousRoles(authentication: Authentication, { anonymous }: SecuritySettings): Authentication {
  const { user, type, apiKey, serviceAccount } = authentication;
  if (anonymous === null || type === 'anonymous' || apiKey !== null || serviceAccount !== null) return authentication;
  return { ...authentication, user: { ...user, roles: [...new Set([...user.roles, ...anonymous.roles])] } };
}

/** What an authentication may do in a state. */
export function subjectOf(authentication: Authentication, state: ClusterState, settings: SecuritySettings): Subject {
  return createSubject(withAnonymousRoles(authentication, settings), state);
}

/** A request without credentials. With `authz_exception` false, what it may not do asks for credentials (401). */
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

/** Whether credentials may ask to act as another user; of others the wish is not looked at, as in 8.12. */
export function canActAsOthers({ type, runAsBy, serviceAccount }: Authentication): boolean {
  return runAsBy === null && serviceAccount === null && type !== 'anonymous';
}

/** A user and where it was found. */
export interface FoundUser {
  readonly user: User;
  readonly realm: RealmRef;
}

/** The user of a name in the first realm that has one. */
export function findUser(realms: readonly PasswordRealm[], state: ClusterState, username: string): FoundUser | null {
  for (const realm of realms) {
    const known = realm.find(state, username);
    if (known !== null) return { user: known.user, realm: realm.ref };
  }
  return null;
}

/**
 * The authentication of a user that acts as another one, with the other's roles only; throws the 403 when its own do
 * not let it.
 */
export function actingAs(
  authentication: Authentication,
  username: string,
  found: FoundUser | null,
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
