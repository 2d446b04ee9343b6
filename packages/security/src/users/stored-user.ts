import { type ClusterState, entry, section } from '@shoal/state';
import type { User } from '../authentication.js';

/** A native user as the cluster state keeps it, section `securityUsers`. */
export interface StoredUser {
  readonly hash: string;
  readonly roles: readonly string[];
  readonly fullName: string | null;
  readonly email: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
}

/**
 * Name of the state's section for users; reserved users have an entry in it once their password or their being enabled
 * was set.
 */
export const USERS_SECTION = 'securityUsers';

/** The native or reserved user's entry, or null. */
export function storedUser(state: ClusterState, username: string): Partial<StoredUser> | null {
  return (entry(state, USERS_SECTION, username) as Partial<StoredUser> | undefined) ?? null;
}

/** Names of all entries, reserved ones included. */
export function storedUserNames(state: ClusterState): readonly string[] {
  return Object.keys(section(state, USERS_SECTION));
}

/** A native user's entry as the user that realms describe. */
export function nativeUserOf(username: string, stored: Partial<StoredUser>): User {
  const { roles = [], fullName = null, email = null, metadata = {}, enabled = true } = stored;
  return { username, roles, fullName, email, metadata, enabled };
}
