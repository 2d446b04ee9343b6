import { type ApiError, errors } from '@shoal/errors';
import type { Authentication, Security } from '@shoal/security';
import type { RestRequest } from '../routing/route.js';
import type { Services } from '../services.js';

/** The security layer; its calls exist only where it is on. */
export function securityOf({ security }: Services): Security {
  if (security === null) throw errors.illegalState('security is not enabled');
  return security;
}

/** Who makes the request. */
export function callerOf(request: RestRequest): Authentication {
  const { authentication } = request.subject;
  if (authentication === null) throw errors.illegalState('security is not enabled');
  return authentication;
}

/** Refuses a body's keys that a call does not have. */
export function checkKeys(
  body: Readonly<Record<string, unknown>>,
  known: readonly string[],
  refuse: (key: string) => ApiError,
): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) throw refuse(unknown);
}

/** `Validation Failed: 1: a;2: b;` when there is something to say. */
export function failValidation(
  problems: readonly string[],
  kind: 'actionRequestValidation' | 'validation' = 'actionRequestValidation',
): void {
  if (problems.length > 0)
    throw errors[kind](`Validation Failed: ${problems.map((text, i) => `${i + 1}: ${text};`).join('')}`);
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
