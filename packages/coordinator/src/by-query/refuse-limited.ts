import { errors } from '@shoal/errors';
import { fieldFilter } from '@shoal/mapping';
import { type ClusterState, searchTargets } from '@shoal/state';
import { ACTIONS, accessOf } from '../access.js';
import type { CallContext } from '../call.js';
import type { ByQueryRequest } from './by-query-request.js';

/**
 * Throws for `_update_by_query` by a caller from whom fields of an index are hidden: documents would be written as the
 * caller sees them, and lose what is hidden.
 */
export function refuseLimited(
  state: ClusterState,
  { kind, source, remote }: ByQueryRequest,
  call: CallContext,
  nowMs: number,
): void {
  if (kind !== 'update' || remote !== null) return;
  const targets = searchTargets(state, source.names, source.options, null, accessOf(call, ACTIONS.search), nowMs);
  if (targets.every(({ limits }) => fieldFilter(limits) === null)) return;
  throw errors.security("Can't execute an update by query request if field level security is enabled", { status: 400 });
}
