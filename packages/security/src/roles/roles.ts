import type { ClusterService } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import type { Json, JsonObject } from '@shoal/json';
import { section, sectionEntry } from '@shoal/state';
import { deleteEntry } from '../section-entries.js';
import { BUILT_IN_ROLES } from './built-in-roles.js';
import { parseRoleDescriptor } from './parse-role.js';
import { renderRoleDescriptor } from './render-role.js';
import { roleOf } from './roles-of.js';
import { roleNameFault, validateRole } from './validate-role.js';

const SECTION = 'securityRoles';

/** Roles, as the calls of `/_security/role` show and change them. */
export interface Roles {
  /**
   * Creates or replaces a role; returns whether it is new. `body` is called once the name was accepted. Throws for
   * built-in roles, and for names and bodies that 8.12 refuses.
   */
  put(name: string, body: () => JsonObject): Promise<boolean>;
  /** Roles in the form of the API, by name; all roles if `names` is empty. Unknown names are left out. */
  get(names: readonly string[]): Json;
  /** Deletes a role; returns whether it existed. Throws illegal_argument_exception for built-in roles. */
  remove(name: string): Promise<boolean>;
}

function refuseReserved(name: string, what: string): void {
  if (BUILT_IN_ROLES.has(name)) throw errors.illegalArgument(`role [${name}] is reserved and cannot be ${what}.`);
}

/** Creates the roles of a cluster. */
export function createRoles(cluster: ClusterService): Roles {
  return {
    async put(name, body) {
      refuseReserved(name, 'modified');
      const fault = roleNameFault(name);
      if (fault !== null) throw errors.actionRequestValidation(`Validation Failed: 1: ${fault};`);
      const role = parseRoleDescriptor(name, body());
      validateRole(role);
      const created = sectionEntry(cluster.state(), SECTION, name) === undefined;
      await cluster.submit('put-entry', { section: SECTION, name, value: renderRoleDescriptor(role) });
      return created;
    },
    get(names) {
      const state = cluster.state();
      const all =
        names.length === 0
          ? [...BUILT_IN_ROLES.keys(), ...Object.keys(section(state, SECTION)).sort()]
          : [...new Set(names)];
      const roles = all.flatMap((name) => roleOf(state, name) ?? []);
      return Object.fromEntries(roles.map((role) => [role.name, renderRoleDescriptor(role)]));
    },
    async remove(name) {
      refuseReserved(name, 'deleted');
      return deleteEntry(cluster, SECTION, name);
    },
  };
}
