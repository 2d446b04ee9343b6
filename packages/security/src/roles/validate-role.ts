import { errors, toApiError } from '@shoal/errors';
import { parseContext, parseQuery } from '@shoal/query';
import { refuseLookups, templateOf } from '../documents/query-template.js';
import { namePatterns } from '../permissions/name-patterns.js';
import { clusterPrivilege } from '../privileges/cluster-privileges.js';
import { indexPrivilege } from '../privileges/index-privileges.js';
import { isPrincipalName } from '../principal-name.js';
import type { RoleDescriptor } from '../role-descriptor.js';
import { checkApplicationName } from '../privileges/application-privileges.js';

/** Why a text is not a role name, or null. */
export function roleNameFault(name: string): string | null {
  if (isPrincipalName(name)) return null;
  return (
    'Role names must be at least 1 and no more than 507 characters. They can contain alphanumeric characters (a-z, ' +
    'A-Z, 0-9), spaces, punctuation, and printable symbols in the Basic Latin (ASCII) block. Leading or trailing ' +
    'whitespace is not allowed.'
  );
}

function faultOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [toApiError(error).message];
  }
}

/** Faults in the privileges, names and metadata of a role, as lines of a validation error. */
export function roleFaults(role: RoleDescriptor): readonly string[] {
  return [
    ...role.cluster.flatMap((name) => faultOf(() => clusterPrivilege(name))),
    ...role.indices.flatMap((entry) => [
      ...entry.privileges.flatMap((name) => faultOf(() => indexPrivilege(name))),
      ...faultOf(() => namePatterns(entry.names)),
    ]),
    ...role.applications.flatMap(({ application }) => faultOf(() => checkApplicationName(application))),
    ...(Object.keys(role.metadata).some((key) => key.startsWith('_'))
      ? ['role descriptor metadata keys may not start with [_]']
      : []),
  ];
}

/** Throws if a role has unknown privileges or an invalid document query. */
export function validateRole(role: RoleDescriptor): void {
  const faults = roleFaults(role);
  if (faults.length > 0)
    throw errors.actionRequestValidation(
      `Validation Failed: ${faults.map((text, i) => `${i + 1}: ${text};`).join('')}`,
    );
  for (const { names, privileges } of role.indices) {
    if (names.length === 0)
      throw errors.illegalArgument('indices privileges must refer to at least one index name or index name pattern');
    if (privileges.length === 0) throw errors.illegalArgument('indices privileges must define at least one privilege');
  }
  for (const { query, names } of role.indices) if (query !== null) checkQuery(role.name, names, query);
}

function checkQuery(name: string, names: readonly string[], query: string): void {
  try {
    const parsed = JSON.parse(query) as unknown;
    // What a template renders depends on the user, so only its form can be checked.
    if (templateOf(parsed) !== null) return;
    refuseLookups(parsed);
    parseQuery(parsed, parseContext());
  } catch (error) {
    throw errors.parse(
      `failed to parse field 'query' for indices [${names.join(',')}] at index privilege [0] of role descriptor ` +
        `[${name}]`,
      { cause: toApiError(error) },
    );
  }
}
