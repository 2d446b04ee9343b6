import type { Clock, Log } from '@shoal/doors';
import type { PasswordRealm } from '../realm.js';
import { type FileUsers, parseFileUsers, USERS_FILE, USERS_ROLES_FILE } from './user-files.js';

/** Reads a file of the configuration directory; null if it does not exist. */
export type ReadConfigFile = (name: string) => string | null;

/** Dependencies of a file realm. */
export interface FileRealmOptions {
  readonly name: string;
  readonly read: ReadConfigFile;
  /** Milliseconds between two looks at the files; null: they are read once. */
  readonly reloadMs: number | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the files have changed. */
  readonly changed: () => void;
}

/** Realm of the files `users` and `users_roles`, which are read again every `reloadMs`. */
export function fileRealm({ name, read, reloadMs, clock, log, changed }: FileRealmOptions): PasswordRealm {
  const textsNow = (): readonly [string, string] => [read(USERS_FILE) ?? '', read(USERS_ROLES_FILE) ?? ''];
  const parsed = (texts: readonly [string, string]): FileUsers => {
    const users = parseFileUsers(...texts);
    for (const problem of users.problems)
      log.write('warn', 'a line of the file realm is skipped', { 'error.message': problem });
    return users;
  };
  let texts = textsNow();
  let { users } = parsed(texts);
  const look = (): void => {
    const latest = textsNow();
    if (latest[0] !== texts[0] || latest[1] !== texts[1]) {
      texts = latest;
      users = parsed(latest).users;
      changed();
    }
    lookLater();
  };
  const lookLater = (): void => {
    if (reloadMs !== null) clock.after(reloadMs, look);
  };
  lookLater();
  return {
    ref: { name, type: 'file' },
    endsChain: false,
    find(_state, username) {
      const found = users.get(username);
      if (!found) return null;
      return {
        user: { username, roles: found.roles, fullName: null, email: null, metadata: {}, enabled: true },
        hash: found.hash,
      };
    },
  };
}
