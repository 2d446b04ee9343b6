import { pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { clearedAnswer } from '../security/cleared-answer.js';
import type { Services } from '../services.js';

const SECURITY = 'cluster:admin/xpack/security';

/** Clears users by name, in all realms; without names, all users of the realms. */
function clearRealms(request: RestRequest, services: Services): Promise<RestResponse> {
  const usernames = request.params.list('usernames') ?? [];
  const realms = pathList(request, 'realms');
  if (usernames.length > 0) return clearedAnswer(services, usernames);
  return clearedAnswer(services, realms.includes('_all') || realms.includes('*') ? null : realms);
}

/**
 * Roles and privileges are read from the cluster state whenever it changes, so they are not cached. Clears the callers,
 * whose permissions are then computed again.
 */
function clearAll(_request: RestRequest, services: Services): Promise<RestResponse> {
  return clearedAnswer(services, null);
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['POST'],
    path: '/_security/realm/{realms}/_clear_cache',
    name: 'security.clear_cached_realms',
    body: 'none',
    privilege: `${SECURITY}/realm/cache/clear`,
    parameters: ['usernames'],
    handle: clearRealms,
  },
  {
    methods: ['POST'],
    path: '/_security/role/{name}/_clear_cache',
    name: 'security.clear_cached_roles',
    body: 'none',
    privilege: `${SECURITY}/roles/cache/clear`,
    parameters: [],
    handle: clearAll,
  },
  {
    methods: ['POST'],
    path: '/_security/privilege/{application}/_clear_cache',
    name: 'security.clear_cached_privileges',
    body: 'none',
    privilege: `${SECURITY}/privilege/cache/clear`,
    parameters: [],
    handle: clearAll,
  },
];
