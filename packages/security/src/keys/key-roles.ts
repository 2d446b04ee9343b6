import type { ClusterState } from '@shoal/state';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { Authentication } from '../authentication.js';
import type { RoleDescriptor } from '../role-descriptor.js';
import { SERVICE_ACCOUNT_ROLES } from '../roles/built-in-roles.js';
import { parseRoleDescriptor } from '../roles/parse-role.js';
import { renderRoleDescriptor } from '../roles/render-role.js';
import { rolesOf } from '../roles/roles-of.js';
import { validateRole } from '../roles/validate-role.js';

/** Parses roles by name, in the form of a key's document. */
export function parseRoleDescriptors(json: Readonly<Record<string, unknown>>): RoleDescriptor[] {
  return Object.entries(json).map(([name, role]) => parseRoleDescriptor(name, role));
}

/**
 * Parses and validates `role_descriptors` of a request. Absent: an empty list, which grants all that the owner may do.
 */
export function parseRequestedRoles(value: unknown): RoleDescriptor[] {
  if (value === undefined || value === null) return [];
  if (!isPlainObject(value)) throw errors.parse('[role_descriptors] must be an object of roles by name');
  const roles = parseRoleDescriptors(value);
  for (const role of roles) validateRole(role);
  return roles;
}

/** Renders roles in the stored form. */
export function renderRoleDescriptors(roles: readonly RoleDescriptor[]): Record<string, Record<string, unknown>> {
  return Object.fromEntries(roles.map((role) => [role.name, renderRoleDescriptor(role)]));
}

/** Present roles of the owner of a new key, which limit the key. */
export function ownRoles(state: ClusterState, { user, apiKey, serviceAccount }: Authentication): RoleDescriptor[] {
  if (apiKey) return [...apiKey.limitedBy];
  const account = serviceAccount === null ? undefined : SERVICE_ACCOUNT_ROLES.get(serviceAccount);
  if (account) return [account];
  return [...rolesOf(state, user.roles).roles];
}

/** Whether a role grants nothing at all. */
function isEmpty(role: RoleDescriptor): boolean {
  return (
    role.cluster.length === 0 &&
    role.indices.length === 0 &&
    role.applications.length === 0 &&
    role.runAs.length === 0 &&
    role.global === null
  );
}

/**
 * Refuses a key that an API key creates with roles that grant anything, as in 8.12. A key that acts as a user may
 * create keys like that user.
 */
export function checkDerivedKey(owner: Authentication, roles: readonly RoleDescriptor[]): void {
  if (owner.apiKey === null) return;
  if (roles.length === 0 || !roles.every(isEmpty))
    throw errors.illegalArgument(
      'creating derived api keys requires an explicit role descriptor that is empty (has no privileges)',
    );
}
