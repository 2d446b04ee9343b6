import { isReserved } from '../users/reserved-users.js';
import { nativeUserOf, storedUser } from '../users/stored-user.js';
import type { PasswordRealm } from './realm.js';

/** Realm of the users created by the API, stored in the cluster state. */
export function nativeRealm(name: string): PasswordRealm {
  return {
    ref: { name, type: 'native' },
    endsChain: false,
    find(state, username) {
      const stored = isReserved(username) ? null : storedUser(state, username);
      return stored === null ? null : { user: nativeUserOf(username, stored), hash: stored.hash ?? null };
    },
  };
}
