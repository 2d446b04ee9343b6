import type { Authentication } from './authentication.js';

/** The answer of `_authenticate`, also part of token answers. */
export function authenticationJson({
  user,
  realm,
  lookupRealm,
  type,
  apiKey,
}: Authentication): Record<string, unknown> {
  const { username, roles, fullName, email, metadata, enabled } = user;
  return {
    username,
    roles,
    full_name: fullName,
    email,
    metadata,
    enabled,
    authentication_realm: { name: realm.name, type: realm.type },
    lookup_realm: { name: lookupRealm.name, type: lookupRealm.type },
    authentication_type: type,
    ...(apiKey === null ? {} : { api_key: { id: apiKey.id, name: apiKey.name } }),
  };
}
