import { isApplicationAction } from '../roles/global-privileges.js';
import { isClusterAction } from '../privileges/cluster-privileges.js';
import type { Subject } from '../subject.js';

const SECURITY = 'cluster:admin/xpack/security';

/** What everyone may do about themselves; the handlers of these calls check what is asked of others. */
const ABOUT_ONESELF = new Set(
  ['user/authenticate', 'user/change_password', 'user/has_privileges', 'user/list_privileges', 'api_key/get'].map(
    (name) => `${SECURITY}/${name}`,
  ),
);

/**
 * Calls that are refused, where they are, for what they hold: each part is checked as an action of its own. Scrolls and
 * points in time belong to who opened them.
 */
const CHECKED_BY_PART = new Set([
  'indices:data/read/scroll',
  'indices:data/read/scroll/clear',
  'indices:data/read/close_point_in_time',
]);

/**
 * Whether a call may come through to its handler. Cluster actions must be granted; actions on indices must be granted
 * on some name at least, which the handler's resolution of names narrows down. Actions about oneself, on own API keys
 * and on some applications come through: their handlers decide.
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
