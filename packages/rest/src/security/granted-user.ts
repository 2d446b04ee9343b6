import { errors } from '@shoal/errors';
import type { Authentication } from '@shoal/security';
import type { RestRequest } from '../route.js';
import type { Services } from '../services.js';
import { failValidation, securityOf } from './security-of.js';

type Json = Readonly<Record<string, unknown>>;

function required(body: Json, name: string, grantType: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value === '') failValidation([`${name} is required for grant_type [${grantType}]`]);
  return value as string;
}

/** Logs a user in by name and password for somebody else, with the same limits as at the gate. Throws the 401. */
export async function userByPassword(request: RestRequest, services: Services, username: string, password: string): Promise<Authentication> {
  const verified = await securityOf(services).checkPassword(username, password, `grant by ${request.subject.authentication?.user.username ?? ''}`);
  const authentication = verified?.current(services.cluster.state()) ?? null;
  if (authentication === null) throw errors.unauthenticated(`unable to authenticate user [${username}] for REST request [${request.path}]`);
  return authentication;
}

async function userByToken(services: Services, token: string): Promise<Authentication> {
  const { tokens, settings } = securityOf(services);
  const verified = settings.tokens.enabled ? await tokens.verify(token) : null;
  const authentication = verified === null || verified === 'expired' ? null : verified.current(services.cluster.state());
  if (authentication === null) throw errors.unauthenticated('token expired');
  return authentication;
}

/** The user that a grant (`{grant_type: password | access_token, …}`) is about. */
export async function grantedUser(request: RestRequest, services: Services, body: Json): Promise<Authentication> {
  const type = body['grant_type'];
  if (body['run_as'] !== undefined) throw errors.illegalArgument('[run_as] is not supported in grants');
  if (body['client_authentication'] !== undefined) throw errors.illegalArgument('[client_authentication] is not supported in grants');
  if (type === 'password') return userByPassword(request, services, required(body, 'username', type), required(body, 'password', type));
  if (type === 'access_token') return userByToken(services, required(body, 'access_token', type));
  throw errors.actionRequestValidation(`Validation Failed: 1: grant_type [${String(type)}] is not supported;`);
}
