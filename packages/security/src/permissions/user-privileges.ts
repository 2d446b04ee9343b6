import { errors } from '@shoal/errors';
import type { IndexPrivileges } from '../role-descriptor.js';
import type { Subject } from '../subject.js';

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}

function indexEntry({
  names,
  privileges,
  fieldSecurity,
  query,
  allowRestrictedIndices,
}: IndexPrivileges): Readonly<Record<string, unknown>> {
  return {
    names,
    privileges,
    ...(fieldSecurity === null
      ? {}
      : {
          field_security: [
            {
              grant: fieldSecurity.grant,
              ...(fieldSecurity.except.length > 0 ? { except: fieldSecurity.except } : {}),
            },
          ],
        }),
    ...(query === null ? {} : { query: [query] }),
    allow_restricted_indices: allowRestrictedIndices,
  };
}

/**
 * The answer of `user/_privileges`: everything that the caller's roles grant. Throws for API keys with roles of their
 * own, as 8.12 does.
 */
export function userPrivileges({ roles, authentication, permissions }: Subject): Readonly<Record<string, unknown>> {
  if (authentication?.apiKey && permissions.grants.length > 1) {
    throw errors.illegalArgument(
      'Cannot retrieve privileges for API keys with assigned role descriptors. Please use the Get API key ' +
        'information API https://ela.st/es-api-get-api-key',
    );
  }
  return {
    cluster: distinct(roles.flatMap(({ cluster }) => cluster)),
    global: roles.flatMap(({ global }) => (global === null ? [] : [global])),
    indices: roles.flatMap(({ indices }) => indices.map(indexEntry)),
    applications: roles.flatMap(({ applications }) => applications),
    run_as: distinct(roles.flatMap(({ runAs }) => runAs)),
  };
}
