import type { ClusterState } from '@shoal/state';
import type { Log } from '@shoal/doors';
import type { RealmRef } from '../authentication.js';
import type { CheckSource } from '../passwords/check-queue.js';
import type { Passwords } from '../passwords/passwords.js';
import { type StoredLogin, type PasswordRealm, realmAuthentication, type Verified } from '../realms/realm.js';

function verifiedBy(realm: PasswordRealm, username: string, hash: string | null): Verified {
  return {
    current(state) {
      const known = realm.find(state, username);
      return known !== null && known.user.enabled && known.hash === hash
        ? realmAuthentication(known.user, realm.ref)
        : null;
    },
    expiresAtMs: null,
    tags: [realm.ref.name, username],
  };
}

function logRefusal(log: Log, username: string, { name }: RealmRef): void {
  log.write(
    'info',
    `Authentication of [${username}] was terminated by realm [${name}] - failed to authenticate user [${username}]`,
  );
}

/**
 * Asks the realms in order; null if no realm accepts the password. At least one hash is computed even if no realm knows
 * the user, so that the time taken does not reveal whether a user exists.
 */
export async function checkPassword(
  realms: readonly PasswordRealm[],
  passwords: Passwords,
  state: ClusterState,
  log: Log,
  username: string,
  password: string,
  source: CheckSource,
): Promise<Verified | null> {
  let isHashed = false;
  for (const realm of realms) {
    const known: StoredLogin | null = realm.find(state, username);
    if (known === null) continue;
    isHashed = true;
    const isRight = (await passwords.verify(password, known.hash, source)) && known.user.enabled;
    if (isRight) return verifiedBy(realm, username, known.hash);
    if (realm.endsChain) {
      logRefusal(log, username, realm.ref);
      return null;
    }
  }
  if (!isHashed) await passwords.verify(password, null, source);
  return null;
}
