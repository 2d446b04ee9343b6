import { type ApiError, errors } from '@shoal/errors';

const BASIC = 'Basic realm="security" charset="UTF-8"';
const BEARER = 'Bearer realm="security"';
const API_KEY = 'ApiKey';

/**
 * Errors for requests that are not authenticated: 401, except `tooEarly`. Each carries `WWW-Authenticate` for the
 * enabled ways to log in.
 */
export interface Refusals {
  missing(uri: string): ApiError;
  /** `principal`: the username of the credentials, `_bearer_token` for a token. */
  unableToAuthenticate(principal: string, uri: string): ApiError;
  /**
   * For API keys and tokens. `unsuccessful` names the credentials and the reason; null if there is no reason to give.
   */
  wrongCredentials(unsuccessful: string | null): ApiError;
  /** With a reason of the caller. */
  because(reason: string): ApiError;
  tokenExpired(): ApiError;
  /** 503: the node has no cluster state yet, and so no users. */
  tooEarly(): ApiError;
}

/** `header` is part of the body and of the headers of the answer. */
function refusal(
  reason: string,
  challenges: readonly string[],
  meta: Readonly<Record<string, unknown>> = {},
): ApiError {
  return errors.unauthenticated(reason, {
    meta: { ...meta, header: { 'WWW-Authenticate': challenges.length === 1 ? challenges[0] : challenges } },
  });
}

/** Creates the refusals of a node; the options say which ways to log in are enabled. */
export function createRefusals({ tokens, apiKeys }: { tokens: boolean; apiKeys: boolean }): Refusals {
  const challenges = [BASIC, ...(tokens ? [BEARER] : []), ...(apiKeys ? [API_KEY] : [])];
  const expired = [
    BASIC,
    `${BEARER}, error="invalid_token", error_description="The access token expired"`,
    ...(apiKeys ? [API_KEY] : []),
  ];
  return {
    missing: (uri) => refusal(`missing authentication credentials for REST request [${uri}]`, challenges),
    unableToAuthenticate: (principal, uri) =>
      refusal(`unable to authenticate user [${principal}] for REST request [${uri}]`, challenges),
    wrongCredentials: (unsuccessful) =>
      refusal(
        'unable to authenticate with provided credentials and anonymous access is not allowed for this request',
        challenges,
        unsuccessful === null ? {} : { additional_unsuccessful_credentials: unsuccessful },
      ),
    because: (reason) => refusal(reason, challenges),
    tokenExpired: () => refusal('token expired', expired),
    tooEarly: () =>
      errors.clusterBlock('blocked by: [SERVICE_UNAVAILABLE/1/state not recovered / initialized];', { status: 503 }),
  };
}
