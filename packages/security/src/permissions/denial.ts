import { type ApiError, errors } from '@shoal/errors';
import type { Authentication } from '../authentication.js';
import { clusterPrivilegesFor, isClusterAction } from '../privileges/cluster-privileges.js';
import { indexPrivilegesFor } from '../privileges/index-privileges.js';
import { isRestricted } from './restricted-names.js';

function onIndices(indices: readonly string[] | null): string {
  if (indices === null || indices.length === 0) return '';
  const regular = indices.filter((name) => !isRestricted(name));
  const restricted = indices.filter(isRestricted);
  const first = regular.length > 0 ? ` on indices [${regular.join(',')}]` : '';
  if (restricted.length === 0) return first;
  return `${first}${first === '' ? ' on' : ' and'} restricted indices [${restricted.join(',')}]`;
}

function grantedBy(action: string): string {
  const isCluster = isClusterAction(action);
  const privileges = isCluster ? clusterPrivilegesFor(action) : indexPrivilegesFor(action);
  return privileges.length === 0
    ? ''
    : `, this action is granted by the ${isCluster ? 'cluster' : 'index'} privileges [${privileges.join(',')}]`;
}

/** The 403 of an action that a caller may not do. */
export function denialText(action: string, who: string, indices: readonly string[] | null): ApiError {
  return errors.security(`action [${action}] is unauthorized for ${who}${onIndices(indices)}${grantedBy(action)}`);
}

/** The caller in the text of a denial: `user [bob] with effective roles [a,b] (assigned roles [c] were not found)`. */
export function describeCaller(
  { user, apiKey, runAsBy, serviceAccount }: Authentication,
  roles: readonly string[],
  missing: readonly string[],
): string {
  if (apiKey) return `API key id [${apiKey.id}] of user [${user.username}]`;
  if (serviceAccount !== null) return `service account [${serviceAccount}]`;
  const name = runAsBy === null ? `user [${user.username}]` : `user [${runAsBy.username}] run as [${user.username}]`;
  const notFound = missing.length === 0 ? '' : ` (assigned roles [${[...missing].sort().join(',')}] were not found)`;
  return `${name} with effective roles [${[...roles].sort().join(',')}]${notFound}`;
}
