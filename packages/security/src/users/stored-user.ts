import { type ClusterState, sectionEntry, section } from '@shoal/state';
import type { User } from '../authentication.js';

/** A native user in the section `securityUsers` of the cluster state. */
export interface StoredUser {
  readonly hash: string;
  readonly roles: readonly string[];
  readonly fullName: string | null;
  readonly email: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
}

/** Name of the section for users. A reserved user has an entry once it got a password, or was enabled or disabled. */
export const USERS_SECTION = 'securityUsers';

/** The entry of a native or reserved user, or null. */
export function storedUser(state: ClusterState, username: string): Partial<StoredUser> | null {
  return (sectionEntry(state, USERS_SECTION, username) as Partial<StoredUser> | undefined) ?? null;
}

/** Names of all entries, reserved ones included. */
export function storedUserNames(state: ClusterState): readonly string[] {
  return Object.keys(section(state, USERS_SECTION));
}

/** Converts a native user's entry to a `User`. */
export function nativeUserOf(username: string, stored: Partial<StoredUser>): User {
  const { roles = [], fullName = null, email = null, metadata = {}, enabled = true } = stored;
  return { username, roles, fullName, email, metadata, enabled };
}
