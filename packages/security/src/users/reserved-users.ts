import type { ClusterState } from '@shoal/state';
import type { User } from '../authentication.js';
import { storedUser } from './stored-user.js';

const RESERVED_ROLES: ReadonlyMap<string, readonly string[]> = new Map([
  ['elastic', ['superuser']],
  ['kibana', ['kibana_system']],
  ['kibana_system', ['kibana_system']],
  ['logstash_system', ['logstash_system']],
  ['beats_system', ['beats_system']],
  ['apm_system', ['apm_system']],
  ['remote_monitoring_user', ['remote_monitoring_collector', 'remote_monitoring_agent']],
]);

/** Names of the built-in users; only `elastic` can have a password before one is set. */
export const RESERVED_USERNAMES: readonly string[] = [...RESERVED_ROLES.keys()];

/** Whether a username is that of a built-in user. */
export function isReserved(username: string): boolean {
  return RESERVED_ROLES.has(username);
}

function metadataOf(username: string): Record<string, unknown> {
  if (username !== 'kibana') return { _reserved: true };
  return { _reserved: true, _deprecated: true, _deprecated_reason: 'Please use the [kibana_system] user instead.' };
}

/** A built-in user with its stored changes; null for other names. */
export function reservedUser(state: ClusterState, username: string): User | null {
  const roles = RESERVED_ROLES.get(username);
  if (!roles) return null;
  return {
    username,
    roles,
    fullName: null,
    email: null,
    metadata: metadataOf(username),
    enabled: storedUser(state, username)?.enabled ?? true,
  };
}
