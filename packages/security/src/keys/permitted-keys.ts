import { errors } from '@shoal/errors';
import type { Authentication } from '../authentication.js';
import { failValidation } from '../body-checks.js';
import type { Subject } from '../subject.js';
import { ownedBy } from './api-keys.js';
import type { ApiKeyFilter } from './find-keys.js';

/** API keys that a request names; whether the caller may name them is not checked yet. */
export interface NamedKeys {
  readonly ids: readonly string[] | null;
  readonly name: string | null;
  readonly username: string | null;
  readonly realmName: string | null;
  readonly owner: boolean;
}

/** Authentication of a caller. */
export function callerOf({ authentication }: Subject): Authentication {
  if (authentication === null) throw errors.illegalState('security is not enabled');
  return authentication;
}

/** Throws for contradicting combinations. */
function checkNamed({ ids, name, username, realmName, owner }: NamedKeys): void {
  const byKey = ids !== null || name !== null;
  const byUser = username !== null || realmName !== null;
  failValidation([
    ...(byKey && byUser
      ? ['username or realm name must not be specified when the api key id or api key name are specified']
      : []),
    ...(owner && byUser ? ['neither username nor realm-name may be specified when retrieving owned API keys'] : []),
    ...(ids !== null && name !== null ? ['only one of [api key id, api key name] can be specified'] : []),
  ]);
}

/** Whether the filter can only match the caller's own keys. */
function namesOwnOnly(
  { ids, username, realmName, owner }: NamedKeys,
  { user, lookupRealm, apiKey }: Authentication,
): boolean {
  if (owner) return true;
  if (apiKey) return ids?.length === 1 && ids[0] === apiKey.id;
  return username === user.username && realmName === lookupRealm.name;
}

/**
 * The filter for the named keys. A caller that may not see all keys must name its own keys; otherwise throws the 403.
 */
export function permittedKeys(subject: Subject, action: string, named: NamedKeys, activeOnly: boolean): ApiKeyFilter {
  checkNamed(named);
  const { permissions } = subject;
  const caller = callerOf(subject);
  const isSelf = caller.apiKey !== null && named.ids?.length === 1 && named.ids[0] === caller.apiKey.id;
  const isAllowed =
    permissions.allowsCluster(action) || (namesOwnOnly(named, caller) && (isSelf || permissions.allowsOwnKeys(action)));
  if (!isAllowed) throw subject.denied(action);
  const { ids, name, username, realmName, owner } = named;
  if (!owner) return { ids, name, username, realmName, activeOnly };
  const own = ownedBy(caller);
  return { ...own, ids: own.ids ?? ids, name, activeOnly };
}
