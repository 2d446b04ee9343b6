import { type ApiKeyFilter, type Authentication, failValidation, ownedBy } from '@shoal/security';
import type { RestRequest } from '../routing/route.js';
import { callerOf } from './security-of.js';

/** API keys that a request names; whether the caller may name them is not checked yet. */
export interface NamedKeys {
  readonly ids: readonly string[] | null;
  readonly name: string | null;
  readonly username: string | null;
  readonly realmName: string | null;
  readonly owner: boolean;
}

/** Throws for contradicting combinations. */
export function checkNamed({ ids, name, username, realmName, owner }: NamedKeys): void {
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
export function permittedKeys(
  request: RestRequest,
  action: string,
  named: NamedKeys,
  activeOnly: boolean,
): ApiKeyFilter {
  checkNamed(named);
  const { permissions } = request.subject;
  const caller = callerOf(request);
  const isSelf = caller.apiKey !== null && named.ids?.length === 1 && named.ids[0] === caller.apiKey.id;
  const isAllowed =
    permissions.allowsCluster(action) || (namesOwnOnly(named, caller) && (isSelf || permissions.allowsOwnKeys(action)));
  if (!isAllowed) throw request.subject.denied(action);
  const { ids, name, username, realmName, owner } = named;
  if (!owner) return { ids, name, username, realmName, activeOnly };
  const own = ownedBy(caller);
  return { ...own, ids: own.ids ?? ids, name, activeOnly };
}
