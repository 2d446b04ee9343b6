import type { ClusterService } from '@shoal/cluster';
import type { Json, JsonObject } from '@shoal/json';
import { section } from '@shoal/state';
import { deleteEntry, mergeEntry } from '../section-entries.js';
import { parseRoleMapping, ROLE_MAPPINGS_SECTION } from './role-mapping.js';

/** Role mappings, as the calls of `/_security/role_mapping` show and change them. */
export interface RoleMappings {
  /** Creates or replaces a mapping; returns whether it is new. Throws for bodies that 8.12 refuses. */
  put(name: string, body: JsonObject): Promise<boolean>;
  /** Mappings in the form of the API, by name; all mappings if `names` is empty. Unknown names are left out. */
  get(names: readonly string[]): Json;
  /** Deletes a mapping; returns whether it existed. */
  remove(name: string): Promise<boolean>;
}

/** Creates the role mappings of a cluster. */
export function createRoleMappings(cluster: ClusterService): RoleMappings {
  return {
    async put(name, body) {
      const value = { ...parseRoleMapping(body) };
      return (await mergeEntry(cluster, { section: ROLE_MAPPINGS_SECTION, name, value, only: null })).created;
    },
    get(names) {
      const all = Object.entries(section(cluster.state(), ROLE_MAPPINGS_SECTION));
      return Object.fromEntries(all.filter(([name]) => names.length === 0 || names.includes(name)));
    },
    remove: (name) => deleteEntry(cluster, ROLE_MAPPINGS_SECTION, name),
  };
}
