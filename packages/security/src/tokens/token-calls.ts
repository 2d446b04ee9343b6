import { errors } from '@shoal/errors';
import type { Json, JsonObject } from '@shoal/json';
import { type CredentialChecks, userByPassword } from '../admission/granted-user.js';
import { authenticationJson } from '../authentication-json.js';
import type { Authentication } from '../authentication.js';
import { checkKeys, failValidation } from '../body-checks.js';
import type { TokenAnswer, TokenFilter } from './tokens.js';

/** Status and JSON of an answer of `/_security/oauth2/token`; refusals have the form of RFC 6749. */
export interface TokenCallAnswer {
  readonly status: number;
  readonly json: Json;
}

/** The calls of `/_security/oauth2/token`: each parses its body and returns the answer. Throws what 8.12 answers. */
export interface TokenCalls {
  /** Creates a token by a grant for the client `by`; `path` is the path of the request, for errors. */
  create(by: Authentication, path: string, body: JsonObject): Promise<TokenCallAnswer>;
  invalidate(body: JsonObject): Promise<TokenCallAnswer>;
}

function tokenResponse(answer: TokenAnswer): TokenCallAnswer {
  if ('refused' in answer)
    return { status: 400, json: { error: answer.refused.error, error_description: answer.refused.description } };
  const { accessToken, refreshToken, expiresInSeconds, authentication } = answer.granted;
  return {
    status: 200,
    json: {
      access_token: accessToken,
      type: 'Bearer',
      expires_in: expiresInSeconds,
      ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
      authentication: authenticationJson(authentication),
    },
  };
}

/** Members of the body that each grant type accepts besides `grant_type` and `scope`. */
const GRANTS: Readonly<Record<string, readonly string[]>> = {
  password: ['username', 'password'],
  client_credentials: [],
  refresh_token: ['refresh_token'],
};

function problems(body: JsonObject, type: unknown): string[] {
  if (typeof type !== 'string' || !Object.hasOwn(GRANTS, type))
    return [`grant_type only supports the values: [password, refresh_token, client_credentials]`];
  const needed = GRANTS[type]!;
  return [
    ...needed.filter((name) => typeof body[name] !== 'string' || body[name] === '').map((name) => `${name} is missing`),
    ...['username', 'password', 'refresh_token']
      .filter((name) => !needed.includes(name) && body[name] !== undefined)
      .map((name) => `${name} is not supported with the ${type} grant_type`),
  ];
}

async function create(
  checks: CredentialChecks,
  by: Authentication,
  path: string,
  body: JsonObject,
): Promise<TokenCallAnswer> {
  const { tokens } = checks;
  checkKeys(body, ['grant_type', 'username', 'password', 'refresh_token', 'scope', 'kerberos_ticket'], (key) =>
    errors.xContentParse(`[token_request] unknown field [${key}]`),
  );
  const type = body['grant_type'];
  if (type === '_kerberos')
    return tokenResponse({ refused: { error: 'unsupported_grant_type', description: 'kerberos is not supported' } });
  failValidation(problems(body, type));
  if (type === 'refresh_token') return tokenResponse(await tokens.refresh(String(body['refresh_token']), by));
  if (type === 'client_credentials') return tokenResponse(await clientToken(checks, by));
  const user = await userByPassword(checks, by, path, String(body['username']), String(body['password']));
  return tokenResponse(await tokens.grant(user, by, true));
}

/** Creates a token for the caller itself, without a refresh token: the caller can authenticate again. */
async function clientToken({ tokens }: CredentialChecks, caller: Authentication): Promise<TokenAnswer> {
  if (caller.type !== 'realm')
    throw errors.illegalState(
      `client_credentials grants need a login with a password, but the caller was authenticated by [${caller.type}]`,
      { status: 400 },
    );
  return tokens.grant(caller, caller, false);
}

function filterOf(body: JsonObject): TokenFilter {
  const { token, refresh_token: refresh, realm_name: realm, username } = body;
  const given = [token, refresh].filter((value) => value !== undefined).length;
  const byUser = realm !== undefined || username !== undefined;
  if (given > 1 || (given === 1 && byUser) || (given === 0 && !byUser)) {
    failValidation([
      given === 0
        ? 'one of [token, refresh_token, realm_name, username] must be set'
        : 'only one of [token, refresh_token] or [realm_name, username] can be set',
    ]);
  }
  if (token !== undefined) return { accessToken: String(token) };
  if (refresh !== undefined) return { refreshToken: String(refresh) };
  return {
    realmName: realm === undefined ? null : String(realm),
    username: username === undefined ? null : String(username),
  };
}

async function invalidate({ tokens }: CredentialChecks, body: JsonObject): Promise<TokenCallAnswer> {
  checkKeys(body, ['token', 'refresh_token', 'realm_name', 'username'], (key) =>
    errors.xContentParse(`[invalidate_token] unknown field [${key}]`),
  );
  const { invalidated, before, isUnknown } = await tokens.invalidate(filterOf(body));
  return {
    status: isUnknown ? 404 : 200,
    json: { invalidated_tokens: invalidated, previously_invalidated_tokens: before, error_count: 0 },
  };
}

/** Creates the calls on the tokens of a cluster; `checks` verify the credentials in grants. */
export function createTokenCalls(checks: CredentialChecks): TokenCalls {
  return {
    create: (by, path, body) => create(checks, by, path, body),
    invalidate: (body) => invalidate(checks, body),
  };
}
