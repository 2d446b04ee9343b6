import type { ClusterState } from '@shoal/state';
import type { Clock } from '@shoal/doors';
import { USERS_SECTION } from '../users/stored-user.js';

/** How long a wrong password is known to be wrong: a program that repeats it does not cost a hash each time. */
const KNOWN_MS = 10_000;
const ENTRIES_MAX = 1_000;

interface Entry {
  readonly username: string;
  readonly untilMs: number;
  /** The users among which it was wrong. */
  readonly users: unknown;
}

/** Passwords that were wrong a moment ago and still are, because no user has changed since. */
export interface WrongCredentials {
  add(key: string, username: string, state: ClusterState): void;
  /** The user whose password was wrong; null when that is not known. */
  get(key: string, state: ClusterState): string | null;
  clear(): void;
}

/** The memory of one node; the oldest of 1,000 entries makes room. */
export function createWrongCredentials(clock: Clock): WrongCredentials {
  const entries = new Map<string, Entry>();
  return {
    add(key, username, state) {
      if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value!);
      entries.set(key, { username, untilMs: clock.now() + KNOWN_MS, users: state.customs.get(USERS_SECTION) });
    },
    get(key, state) {
      const entry = entries.get(key);
      if (!entry) return null;
      if (entry.untilMs > clock.now() && entry.users === state.customs.get(USERS_SECTION)) return entry.username;
      entries.delete(key);
      return null;
    },
    clear: () => entries.clear(),
  };
}
