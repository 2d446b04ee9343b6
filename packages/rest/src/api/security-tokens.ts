import { errors } from '@shoal/errors';
import type { Security } from '@shoal/security';
import { objectBody } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { callerOf, securityOf } from '../security/security-of.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/token';

/** The security layer; throws if tokens are off. */
function tokenCallsOf(services: Services): Security['tokenCalls'] {
  const security = securityOf(services);
  if (!security.settings.tokens.enabled)
    throw errors.featureNotEnabled('security tokens are not enabled', {
      meta: { 'disabled.feature': 'security_tokens' },
    });
  return security.tokenCalls;
}

async function getToken(request: RestRequest, services: Services): Promise<RestResponse> {
  return tokenCallsOf(services).create(callerOf(request), request.path, objectBody(request));
}

async function invalidateToken(request: RestRequest, services: Services): Promise<RestResponse> {
  return tokenCallsOf(services).invalidate(objectBody(request));
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
