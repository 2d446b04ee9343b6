import type { ClusterState } from '@shoal/state';
import type { Authentication } from '../authentication.js';
import type { RoleDescriptor } from '../role-descriptor.js';
import { SERVICE_ACCOUNT_ROLES } from '../roles/built-in-roles.js';
import { rolesOf } from '../roles/roles-of.js';
import type { Subject } from '../subject.js';
import { denialText, describeCaller } from './denial.js';
import { grantsOf } from './grants.js';
import { permissionsFrom } from './permissions-of.js';

interface EffectiveRoles {
  /** Role lists of the caller; each list must grant an action (an API key has its own roles and its owner's). */
  readonly lists: readonly (readonly RoleDescriptor[])[];
  readonly missing: readonly string[];
}

function effectiveRoles({ user, apiKey, serviceAccount }: Authentication, state: ClusterState): EffectiveRoles {
  if (apiKey)
    return {
      lists: apiKey.roleDescriptors.length === 0 ? [apiKey.limitedBy] : [apiKey.roleDescriptors, apiKey.limitedBy],
      missing: [],
    };
  const account = serviceAccount === null ? undefined : SERVICE_ACCOUNT_ROLES.get(serviceAccount);
  if (account) return { lists: [[account]], missing: [] };
  const { roles, missing } = rolesOf(state, user.roles);
  return { lists: [roles], missing };
}

/**
 * The subject of an authentication, with the permissions of its roles in a state. The caller adds roles of anonymous
 * users before.
 */
export function createSubject(authentication: Authentication, state: ClusterState): Subject {
  const { lists, missing } = effectiveRoles(authentication, state);
  const who = describeCaller(
    authentication,
    lists[0]!.map(({ name }) => name),
    missing,
  );
  const deny = (action: string, indices: readonly string[] | null) => denialText(action, who, indices);
  return {
    authentication,
    permissions: permissionsFrom(lists.map(grantsOf), authentication.user, deny),
    roles: lists[0]!,
    denied: (action, indices) => deny(action, indices ?? null),
  };
}
