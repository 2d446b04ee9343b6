import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { checkKeys, failValidation, type Security, type TokenAnswer, type TokenFilter } from '@shoal/security';
import { objectBody } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { userByPassword } from '../security/granted-user.js';
import { authenticationJson, callerOf, securityOf } from '../security/security-of.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/token';

/** The security layer; throws if tokens are off. */
function tokensOf(services: Services): Security {
  const security = securityOf(services);
  if (!security.settings.tokens.enabled)
    throw errors.featureNotEnabled('security tokens are not enabled', {
      meta: { 'disabled.feature': 'security_tokens' },
    });
  return security;
}

function tokenResponse(answer: TokenAnswer): RestResponse {
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

async function getToken(request: RestRequest, services: Services): Promise<RestResponse> {
  const { tokens } = tokensOf(services);
  const body = objectBody(request);
  checkKeys(body, ['grant_type', 'username', 'password', 'refresh_token', 'scope', 'kerberos_ticket'], (key) =>
    errors.xContentParse(`[token_request] unknown field [${key}]`),
  );
  const type = body['grant_type'];
  if (type === '_kerberos')
    return tokenResponse({ refused: { error: 'unsupported_grant_type', description: 'kerberos is not supported' } });
  failValidation(problems(body, type));
  const client = callerOf(request);
  if (type === 'refresh_token') return tokenResponse(await tokens.refresh(String(body['refresh_token']), client));
  if (type === 'client_credentials') return tokenResponse(await clientToken(services, request));
  return tokenResponse(
    await tokens.grant(
      await userByPassword(request, services, String(body['username']), String(body['password'])),
      client,
      true,
    ),
  );
}

/** Creates a token for the caller itself, without a refresh token: the caller can authenticate again. */
async function clientToken(services: Services, request: RestRequest): Promise<TokenAnswer> {
  const caller = callerOf(request);
  if (caller.type !== 'realm')
    throw errors.illegalState(
      `client_credentials grants need a login with a password, but the caller was authenticated by [${caller.type}]`,
      { status: 400 },
    );
  return tokensOf(services).tokens.grant(caller, caller, false);
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

async function invalidateToken(request: RestRequest, services: Services): Promise<RestResponse> {
  const { tokens } = tokensOf(services);
  const body = objectBody(request);
  checkKeys(body, ['token', 'refresh_token', 'realm_name', 'username'], (key) =>
    errors.xContentParse(`[invalidate_token] unknown field [${key}]`),
  );
  const { invalidated, before, isUnknown } = await tokens.invalidate(filterOf(body));
  return {
    status: isUnknown ? 404 : 200,
    json: { invalidated_tokens: invalidated, previously_invalidated_tokens: before, error_count: 0 },
  };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['POST'],
    path: '/_security/oauth2/token',
    name: 'security.get_token',
    body: 'required',
    privilege: `${ACTION}/create`,
    parameters: [],
    handle: getToken,
  },
  {
    methods: ['DELETE'],
    path: '/_security/oauth2/token',
    name: 'security.invalidate_token',
    body: 'required',
    privilege: `${ACTION}/invalidate`,
    parameters: [],
    handle: invalidateToken,
  },
];
