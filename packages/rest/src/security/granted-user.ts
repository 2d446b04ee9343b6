import type { JsonObject } from '@shoal/json';
import { type ApiError, errors } from '@shoal/errors';
import { type Authentication, failValidation } from '@shoal/security';
import { tokenOf } from '../format/json-token.js';
import type { RestRequest } from '../routing/route.js';
import type { Services } from '../services.js';
import { securityOf } from './security-of.js';

/** Members of the body that each grant type needs. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  password: ['username', 'password'],
  access_token: ['access_token'],
};

const isGiven = (value: unknown): boolean => typeof value === 'string' && value !== '';

function problems(body: JsonObject, type: unknown): string[] {
  if (type === undefined || type === null) return ['[grant_type] is required'];
  if (typeof type !== 'string' || !Object.hasOwn(SHOWN, type)) return [`grant_type [${String(type)}] is not supported`];
  const needed = SHOWN[type]!;
  const others = Object.values(SHOWN)
    .flat()
    .filter((name) => !needed.includes(name));
  return [
    ...needed.filter((name) => !isGiven(body[name])).map((name) => `[${name}] is required for grant_type [${type}]`),
    ...others
      .filter((name) => isGiven(body[name]))
      .map((name) => `[${name}] is not supported for grant_type [${type}]`),
  ];
}

const notAuthenticated = (username: string, { path }: RestRequest): ApiError =>
  errors.unauthenticated(`unable to authenticate user [${username}] for REST request [${path}]`);

/**
 * Authenticates a user by name and password on behalf of the caller, with the login limits of `checkPassword`. Throws
 * the 401.
 */
export async function userByPassword(
  request: RestRequest,
  services: Services,
  username: string,
  password: string,
): Promise<Authentication> {
  const verified = await securityOf(services).checkPassword(
    username,
    password,
    `grant by ${request.subject.authentication?.user.username ?? ''}`,
  );
  const authentication = verified?.current(services.cluster.state()) ?? null;
  if (authentication === null) throw notAuthenticated(username, request);
  return authentication;
}

async function userByToken(services: Services, token: string): Promise<Authentication> {
  const { tokens, settings } = securityOf(services);
  const verified = settings.tokens.enabled ? await tokens.verify(token) : null;
  const authentication =
    verified === null || verified === 'expired' ? null : verified.current(services.cluster.state());
  if (authentication === null) throw errors.unauthenticated('token expired');
  return authentication;
}

/** The user whose credentials a grant (`{grant_type: password | access_token, …}`) contains. */
async function userOfCredentials(request: RestRequest, services: Services, body: JsonObject): Promise<Authentication> {
  const type = body['grant_type'];
  if (body['client_authentication'] !== undefined)
    throw errors.illegalArgument('[client_authentication] is not supported in grants');
  failValidation(problems(body, type));
  if (type === 'password') return userByPassword(request, services, String(body['username']), String(body['password']));
  return userByToken(services, String(body['access_token']));
}

/** `run_as` of a grant; null if absent. */
function runAsOf(body: JsonObject): string | null {
  const name = body['run_as'];
  if (name === undefined || typeof name === 'string') return name ?? null;
  throw errors.xContentParse(`[grant_api_key_request] run_as doesn't support values of type: ${tokenOf(name)}`, {
    location: { container: body, key: 'run_as' },
  });
}

/** The user of a grant: the one whose credentials it contains, or the user that this one acts as (`run_as`). */
export async function grantedUser(request: RestRequest, services: Services, body: JsonObject): Promise<Authentication> {
  const runAs = runAsOf(body);
  const shown = await userOfCredentials(request, services, body);
  if (runAs === null) return shown;
  if (runAs === '') throw notAuthenticated(shown.user.username, request);
  const acting = securityOf(services).actingAs(shown, runAs);
  if (acting === null) throw errors.status('the provided grant credentials do not support run-as');
  return acting;
}
