import { type ApiError, errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import type { ClusterState } from '@shoal/state';
import type { Authentication } from '../authentication.js';
import { failValidation } from '../body-checks.js';
import type { SecuritySettings } from '../settings.js';
import type { Subject } from '../subject.js';
import type { Tokens } from '../tokens/tokens.js';
import type { Admission } from './admission.js';

/** What verifies the credentials in the body of a grant. */
export interface CredentialChecks {
  readonly state: () => ClusterState;
  readonly settings: SecuritySettings;
  readonly tokens: Tokens;
  readonly checkPassword: Admission['checkPassword'];
  /** The authentication of a caller that acts as another user; null if these credentials cannot. Throws the 403. */
  readonly actingAs: (authentication: Authentication, username: string) => Authentication | null;
}

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

const notAuthenticated = (username: string, path: string): ApiError =>
  errors.unauthenticated(`unable to authenticate user [${username}] for REST request [${path}]`);

/**
 * Authenticates a user by name and password on behalf of the caller, with the login limits of `checkPassword`. Throws
 * the 401.
 */
export async function userByPassword(
  { checkPassword, state }: CredentialChecks,
  by: Authentication | null,
  path: string,
  username: string,
  password: string,
): Promise<Authentication> {
  const verified = await checkPassword(username, password, `grant by ${by?.user.username ?? ''}`);
  const authentication = verified?.current(state()) ?? null;
  if (authentication === null) throw notAuthenticated(username, path);
  return authentication;
}

async function userByToken({ tokens, settings, state }: CredentialChecks, token: string): Promise<Authentication> {
  const verified = settings.tokens.enabled ? await tokens.verify(token) : null;
  const authentication = verified === null || verified === 'expired' ? null : verified.current(state());
  if (authentication === null) throw errors.unauthenticated('token expired');
  return authentication;
}

/** The user whose credentials a grant (`{grant_type: password | access_token, …}`) contains. */
async function userOfCredentials(
  checks: CredentialChecks,
  by: Authentication | null,
  path: string,
  body: JsonObject,
): Promise<Authentication> {
  const type = body['grant_type'];
  if (body['client_authentication'] !== undefined)
    throw errors.illegalArgument('[client_authentication] is not supported in grants');
  failValidation(problems(body, type));
  if (type === 'password') return userByPassword(checks, by, path, String(body['username']), String(body['password']));
  return userByToken(checks, String(body['access_token']));
}

/** The user of a grant: the one whose credentials it contains, or the user that this one acts as (`run_as`). */
export async function grantedUser(
  checks: CredentialChecks,
  by: Subject,
  path: string,
  body: JsonObject,
  runAs: string | null,
): Promise<Authentication> {
  const shown = await userOfCredentials(checks, by.authentication, path, body);
  if (runAs === null) return shown;
  if (runAs === '') throw notAuthenticated(shown.user.username, path);
  const acting = checks.actingAs(shown, runAs);
  if (acting === null) throw errors.status('the provided grant credentials do not support run-as');
  return acting;
}
