import { isApplicationAction } from '../roles/global-privileges.js';
import { isClusterAction } from '../privileges/cluster-privileges.js';
import type { Subject } from '../subject.js';

const SECURITY = 'cluster:admin/xpack/security';

/** Actions that every user may do about themselves. Their handlers check privileges for questions about other users. */
const ABOUT_ONESELF = new Set(
  ['user/authenticate', 'user/change_password', 'user/has_privileges', 'user/list_privileges', 'api_key/get'].map(
    (name) => `${SECURITY}/${name}`,
  ),
);

/**
 * Actions whose handlers check each part as an action of its own. A scroll, a point in time or an asynchronous search
 * may be used only by the user who opened it.
 */
const CHECKED_BY_PART = new Set([
  'indices:data/read/scroll',
  'indices:data/read/scroll/clear',
  'indices:data/read/close_point_in_time',
  'indices:data/read/async_search/get',
  'indices:data/read/async_search/delete',
]);

/**
 * Whether a call may reach its handler. A cluster action must be granted. An index action must be granted on at least
 * one name; resolving names then limits it. Actions about oneself, on own API keys and on some applications reach their
 * handlers, which decide.
 */
export function mayCall({ permissions, authentication }: Subject, action: string): boolean {
  if (authentication === null) return true;
  if (isClusterAction(action))
    return (
      permissions.allowsCluster(action) ||
      ABOUT_ONESELF.has(action) ||
      permissions.allowsOwnKeys(action) ||
      (isApplicationAction(action) && permissions.allowsForSomeApplication(action))
    );
  return CHECKED_BY_PART.has(action) || permissions.allowsSomeIndex(action);
}
