import { type ClusterState, sectionEntry } from '@shoal/state';
import type { RoleDescriptor } from '../role-descriptor.js';
import { BUILT_IN_ROLES } from './built-in-roles.js';
import { parseRoleDescriptor } from './parse-role.js';

const parsed = new WeakMap<object, RoleDescriptor>();

/**
 * A role of the cluster state. The same object is returned while its entry does not change, so that `grantsOf` can
 * cache.
 */
function storedRole(state: ClusterState, name: string): RoleDescriptor | null {
  const stored = sectionEntry(state, 'securityRoles', name);
  if (typeof stored !== 'object' || stored === null) return null;
  let descriptor = parsed.get(stored);
  if (!descriptor) {
    descriptor = parseRoleDescriptor(name, stored);
    parsed.set(stored, descriptor);
  }
  return descriptor;
}

/** The built-in or stored role of a name; null if there is none. */
export function roleOf(state: ClusterState, name: string): RoleDescriptor | null {
  return BUILT_IN_ROLES.get(name) ?? storedRole(state, name);
}

/** Roles by names, and the names without a role. */
export function rolesOf(
  state: ClusterState,
  names: readonly string[],
): { readonly roles: readonly RoleDescriptor[]; readonly missing: readonly string[] } {
  const roles: RoleDescriptor[] = [];
  const missing: string[] = [];
  for (const name of new Set(names)) {
    const role = roleOf(state, name);
    if (role) roles.push(role);
    else missing.push(name);
  }
  return { roles, missing };
}
