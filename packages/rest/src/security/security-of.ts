import { type ApiError, errors } from '@shoal/errors';
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

/** Throws for members of a body that the call does not have. */
export function checkKeys(
  body: Readonly<Record<string, unknown>>,
  known: readonly string[],
  refuse: (key: string) => ApiError,
): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) throw refuse(unknown);
}

/** Throws `Validation Failed: 1: a;2: b;` if there are faults. */
export function failValidation(
  problems: readonly string[],
  kind: 'actionRequestValidation' | 'validation' = 'actionRequestValidation',
): void {
  if (problems.length > 0)
    throw errors[kind](`Validation Failed: ${problems.map((text, i) => `${i + 1}: ${text};`).join('')}`);
}

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
