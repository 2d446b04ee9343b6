import type { ClusterState } from '@shoal/state';
import type { Clock } from '@shoal/doors';
import { USERS_SECTION } from '../users/stored-user.js';

/** How long a wrong password is remembered, so that a program that repeats it does not cost a hash each time. */
const KNOWN_MS = 10_000;
const ENTRIES_MAX = 1_000;

interface Entry {
  readonly username: string;
  readonly untilMs: number;
  /** The users section of the state in which the password was wrong. */
  readonly users: unknown;
}

/**
 * Cache of passwords that were wrong within the last 10 s; an entry is valid while the users of the state do not
 * change.
 */
export interface WrongCredentials {
  add(key: string, username: string, state: ClusterState): void;
  /** The username of a cached wrong password; null if it is not in the cache. */
  get(key: string, state: ClusterState): string | null;
  clear(): void;
}

/** Creates the cache of one node. If it holds 1,000 entries, the oldest is evicted. */
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
