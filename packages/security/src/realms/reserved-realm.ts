import type { RealmRef } from '../authentication.js';
import { isReserved, reservedUser } from '../users/reserved-users.js';
import { storedUser } from '../users/stored-user.js';
import type { PasswordRealm } from './realm.js';

/** Reference of the realm of reserved users. */
export const RESERVED_REALM: RealmRef = { name: 'reserved', type: 'reserved' };

/**
 * Realm of `elastic` and the users of the stack's own programs. `bootstrapHash` is the hash of `elastic` until its
 * password is set; the other users have no password until then.
 */
export function reservedRealm(bootstrapHash: string | null): PasswordRealm {
  return {
    ref: RESERVED_REALM,
    endsChain: true,
    find(state, username) {
      if (!isReserved(username)) return null;
      const hash = storedUser(state, username)?.hash ?? (username === 'elastic' ? bootstrapHash : null);
      return { user: reservedUser(state, username)!, hash };
    },
  };
}
