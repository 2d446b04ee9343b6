import { type ApiError, errors } from '@shoal/errors';

const BASIC = 'Basic realm="security" charset="UTF-8"';
const BEARER = 'Bearer realm="security"';
const API_KEY = 'ApiKey';

/**
 * The refusals of a node, 401 but for the last. Each carries `WWW-Authenticate` for the ways to log in that are
 * switched on.
 */
export interface Refusals {
  missing(uri: string): ApiError;
  /** `principal`: the name that credentials show, `_bearer_token` for a token. */
  unableToAuthenticate(principal: string, uri: string): ApiError;
  /** API keys and tokens; `unsuccessful` says which and why, null when there is nothing to say. */
  wrongCredentials(unsuccessful: string | null): ApiError;
  /** For other reasons. */
  because(reason: string): ApiError;
  tokenExpired(): ApiError;
  /** 503: the node has no cluster state yet, and with it no users. */
  tooEarly(): ApiError;
}

/** `header` becomes both part of the body and headers of the answer. */
function refusal(
  reason: string,
  challenges: readonly string[],
  meta: Readonly<Record<string, unknown>> = {},
): ApiError {
  return errors.unauthenticated(reason, {
    meta: { ...meta, header: { 'WWW-Authenticate': challenges.length === 1 ? challenges[0] : challenges } },
  });
}

/** Makes the refusals of a node with its settings. */
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
