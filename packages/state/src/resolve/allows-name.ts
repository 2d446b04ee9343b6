import { dataStream, dataStreamOf } from '../indices/data-streams.js';
import { resolveDateMath } from '../names/date-math-name.js';
import type { ClusterState, IndexMetadata } from '../state.js';
import { nameIndex } from '../edit.js';
import { type IndexAccess, UNRESTRICTED } from './index-access.js';

/** Whether the caller may use an index: its own name is allowed, or the name of the data stream that it backs. */
export function allowsIndex(state: ClusterState, access: IndexAccess, index: IndexMetadata): boolean {
  if (access === UNRESTRICTED || access.allows(index.name)) return true;
  const stream = dataStreamOf(state, index.uuid);
  return stream !== null && access.allows(stream.name);
}

/** Whether the caller may use a name: of an index, an alias, a data stream, or of nothing yet. */
export function allowsName(state: ClusterState, access: IndexAccess, name: string): boolean {
  if (access === UNRESTRICTED || access.allows(name)) return true;
  const index = dataStream(state, name) ? undefined : nameIndex(state).get(name);
  return index !== undefined && allowsIndex(state, access, index);
}

/** Throws the error of `access` if the caller may not use a name, which may be date math. */
export function requireName(state: ClusterState, access: IndexAccess, name: string, nowMs: number): void {
  if (access === UNRESTRICTED) return;
  const concrete = resolveDateMath(name, nowMs);
  if (!allowsName(state, access, concrete)) throw access.refuse([concrete]);
}

/**
 * Names that decide which documents and fields of an index the caller sees: the names of the request, and the data
 * stream that the index backs.
 */
export function grantedNames(state: ClusterState, index: IndexMetadata, names: readonly string[]): readonly string[] {
  const stream = dataStreamOf(state, index.uuid);
  return stream === null || names.includes(stream.name) ? names : [...names, stream.name];
}
