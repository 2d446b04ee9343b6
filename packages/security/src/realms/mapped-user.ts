import type { ClusterState } from '@shoal/state';
import type { Authentication, RealmRef } from '../authentication.js';
import { mappedRoles } from '../mappings/role-mapping.js';
import { realmAuthentication } from './realm.js';

/** A user that a token or a certificate describes; role mappings grant its roles. */
export interface DescribedUser {
  readonly username: string;
  readonly dn: string | null;
  readonly groups: readonly string[];
  readonly fullName: string | null;
  readonly email: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The authentication of a described user, with the roles of the state's mappings. */
export function mappedAuthentication(state: ClusterState, user: DescribedUser, realm: RealmRef): Authentication {
  const { username, dn, groups, fullName, email, metadata } = user;
  const facts = new Map<string, unknown>([
    ['username', username],
    ['dn', dn],
    ['groups', groups],
    ['realm.name', realm.name],
  ]);
  for (const [name, value] of Object.entries(metadata)) facts.set(`metadata.${name}`, value);
  return realmAuthentication(
    { username, roles: mappedRoles(state, facts), fullName, email, metadata, enabled: true },
    realm,
  );
}
