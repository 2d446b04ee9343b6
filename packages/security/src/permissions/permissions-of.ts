import type { IndexAccess } from '@shoal/state';
import type { ApiError } from '@shoal/errors';
import type { User } from '../authentication.js';
import { queryFor } from '../documents/query-template.js';
import type { RoleDescriptor } from '../role-descriptor.js';
import type { Permissions } from '../subject.js';
import { denialText } from './denial.js';
import { type Grants, grantsOf, type IndexGrant } from './grants.js';

type Limits = NonNullable<ReturnType<IndexAccess['limits']>>;

/** Creates the error of a refused action; `indices` is null if no index was named. */
export type Deny = (action: string, indices: readonly string[] | null) => ApiError;

const ALL: Limits = { queries: [], fields: [] };

/**
 * Document and field limits of the entries that grant an action on an index. An entry without a limit removes the
 * limits of the others.
 */
function limitsOf(grants: readonly IndexGrant[], user: User): Limits {
  const queries = grants.map((grant) => grant.query);
  const fields = grants.map((grant) => grant.fields);
  return {
    queries: queries.some((query) => query === null)
      ? []
      : [[...new Set(queries.map((query) => queryFor(query!, user)))]],
    fields: fields.some((field) => field === null) ? [] : [fields as NonNullable<(typeof fields)[number]>[]],
  };
}

function accessOf(parts: readonly Grants[], user: User, action: string, deny: Deny): IndexAccess {
  const limits = (names: readonly string[]): Limits | null => {
    const all = parts.map((grants) =>
      limitsOf(
        names.flatMap((name) => grants.onIndex(action, name)),
        user,
      ),
    );
    const together = all.reduce(
      (a, b) => ({ queries: [...a.queries, ...b.queries], fields: [...a.fields, ...b.fields] }),
      ALL,
    );
    return together.queries.length === 0 && together.fields.length === 0 ? null : together;
  };
  return {
    allows: (name) => parts.every((grants) => grants.onIndex(action, name).length > 0),
    refuse: (names) => deny(action, names),
    limits: parts.every((grants) => grants.indices.every(({ query, fields }) => query === null && fields === null))
      ? () => null
      : limits,
  };
}

/** Permissions that all of `parts` grant together; `deny` creates their errors. */
export function permissionsFrom(parts: readonly Grants[], user: User, deny: Deny): Permissions {
  const accesses = new Map<string, IndexAccess>();
  return {
    allowsCluster: (action) => parts.every((grants) => grants.allowsCluster(action)),
    allowsOwnKeys: (action) => parts.every((grants) => grants.allowsCluster(action) || grants.allowsOwnKeys(action)),
    allowsSomeIndex: (action) => parts.every((grants) => grants.onSomeIndex(action)),
    allowsRunAs: (username) => parts.every((grants) => grants.allowsRunAs(username)),
    allowsForApplications: (action, names) =>
      parts.every((grants) => grants.allowsCluster(action) || grants.allowsForApplications(action, names)),
    allowsForSomeApplication: (action) =>
      parts.every((grants) => grants.allowsCluster(action) || grants.allowsForSomeApplication(action)),
    indexAccess(action) {
      let access = accesses.get(action);
      if (!access) {
        access = accessOf(parts, user, action, deny);
        accesses.set(action, access);
      }
      return access;
    },
    grants: parts,
  };
}

/**
 * Permissions of a user: what `descriptors` grant and `limitedBy` grants too. Compiled privileges are cached, see
 * `grantsOf`.
 */
export function permissionsOf(
  descriptors: readonly RoleDescriptor[],
  limitedBy: readonly RoleDescriptor[] | null,
  user: User,
): Permissions {
  const parts = limitedBy === null ? [grantsOf(descriptors)] : [grantsOf(descriptors), grantsOf(limitedBy)];
  const who = `user [${user.username}] with effective roles [${descriptors
    .map(({ name }) => name)
    .sort()
    .join(',')}]`;
  return permissionsFrom(parts, user, (action, indices) => denialText(action, who, indices));
}
