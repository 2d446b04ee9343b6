import type { Json } from '@shoal/json';
import type { IndexPrivileges, RoleDescriptor } from '../role-descriptor.js';

/** Renders an entry of `indices` in the form of the API. */
export function renderIndexPrivileges(entry: IndexPrivileges): Json {
  const { fieldSecurity } = entry;
  return {
    names: entry.names,
    privileges: entry.privileges,
    ...(fieldSecurity === null
      ? {}
      : {
          field_security: {
            grant: fieldSecurity.grant,
            ...(fieldSecurity.except.length > 0 ? { except: fieldSecurity.except } : {}),
          },
        }),
    ...(entry.query === null ? {} : { query: entry.query }),
    allow_restricted_indices: entry.allowRestrictedIndices,
  };
}

/** Renders a role in the form of the API, which is also the stored form; `parseRoleDescriptor` parses it. */
export function renderRoleDescriptor(descriptor: RoleDescriptor): Json {
  return {
    cluster: descriptor.cluster,
    ...(descriptor.global === null ? {} : { global: descriptor.global }),
    indices: descriptor.indices.map(renderIndexPrivileges),
    applications: descriptor.applications,
    run_as: descriptor.runAs,
    metadata: descriptor.metadata,
    transient_metadata: descriptor.transientMetadata,
  };
}
