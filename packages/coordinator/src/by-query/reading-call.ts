import { type IndexAccess, UNRESTRICTED } from '@shoal/state';
import { ACTIONS, accessOf } from '../access.js';
import type { CallContext } from '../call.js';
import type { ByQueryRequest } from './by-query-request.js';

/** Indices in which the caller may change documents by a query; null for a call that changes none where it reads. */
export function changeAccess({ kind, remote }: ByQueryRequest, call: CallContext): IndexAccess | null {
  if (kind === 'reindex' || remote !== null) return null;
  return accessOf(call, kind === 'delete' ? ACTIONS.deleteByQuery : ACTIONS.updateByQuery);
}

/**
 * The call as it finds the documents that it works on. 8.12 expands wildcards to what the caller may change by a query,
 * and searches these names; so here wildcards skip what may be read only.
 */
export function readingCall(request: ByQueryRequest, call: CallContext): CallContext {
  const changes = changeAccess(request, call);
  if (changes === null || changes === UNRESTRICTED) return call;
  const { signal, opaqueId, withType, taskId, subject } = call;
  const permissions = {
    ...subject.permissions,
    indexAccess: (action: string) => both(changes, subject.permissions.indexAccess(action)),
  };
  return {
    signal,
    opaqueId,
    withType,
    ...(taskId === undefined ? {} : { taskId }),
    subject: { ...subject, permissions },
  };
}

/** What both allow, with the errors and the limits of reading: names that may not be changed are refused before. */
const both = (changes: IndexAccess, reads: IndexAccess): IndexAccess => ({
  allows: (name) => changes.allows(name) && reads.allows(name),
  refuse: (names) => reads.refuse(names),
  limits: (names) => reads.limits(names),
});
