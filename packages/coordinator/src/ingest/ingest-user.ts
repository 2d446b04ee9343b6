import type { JsonObject } from '@shoal/json';
import type { Subject } from '@shoal/security';

/** Describes the caller of a request for the processor `set_security_user`; null if security is off. */
export function ingestUser({ authentication, roles }: Subject): JsonObject | null {
  if (authentication === null) return null;
  const { user, apiKey, type, lookupRealm } = authentication;
  const names = roles.map(({ name }) => name);
  return {
    username: user.username,
    ...(user.fullName === null ? {} : { full_name: user.fullName }),
    ...(user.email === null ? {} : { email: user.email }),
    ...(names.length === 0 || apiKey !== null ? {} : { roles: names }),
    ...(Object.keys(user.metadata).length === 0 ? {} : { metadata: user.metadata }),
    ...(apiKey === null ? {} : { api_key: { id: apiKey.id, name: apiKey.name, ...metadataOf(apiKey.metadata) } }),
    realm: apiKey === null ? { name: lookupRealm.name, type: lookupRealm.type } : apiKey.creatorRealm,
    authentication_type: type.toUpperCase(),
  };
}

function metadataOf(metadata: JsonObject): JsonObject {
  return Object.keys(metadata).length === 0 ? {} : { metadata };
}
