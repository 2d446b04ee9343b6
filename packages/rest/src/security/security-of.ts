import { errors } from '@shoal/errors';
import type { Authentication, Security } from '@shoal/security';
import type { RestRequest } from '../routing/route.js';
import type { Services } from '../services.js';

/** The security layer. Its routes exist only if security is on. */
export function securityOf({ security }: Services): Security {
  if (security === null) throw errors.illegalState('security is not enabled');
  return security;
}

/** Authentication of the caller. */
export function callerOf(request: RestRequest): Authentication {
  const { authentication } = request.subject;
  if (authentication === null) throw errors.illegalState('security is not enabled');
  return authentication;
}

/** `_authenticate`'s answer, part of that of tokens too. */
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
