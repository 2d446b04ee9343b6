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
