import { dataStream, dataStreamOf } from '../indices/data-streams.js';
import { resolveDateMath } from '../names/date-math-name.js';
import type { ClusterState, IndexMetadata } from '../state.js';
import { nameIndex } from '../edit.js';
import { type IndexAccess, UNRESTRICTED } from './index-access.js';

/** Whether an index may be reached by its own name: that is allowed, or the data stream is that it backs. */
export function allowsIndex(state: ClusterState, access: IndexAccess, index: IndexMetadata): boolean {
  if (access === UNRESTRICTED || access.allows(index.name)) return true;
  const stream = dataStreamOf(state, index.uuid);
  return stream !== null && access.allows(stream.name);
}

/** Whether a name may be asked for: of an index, an alias, a data stream, or of nothing yet. */
export function allowsName(state: ClusterState, access: IndexAccess, name: string): boolean {
  if (access === UNRESTRICTED || access.allows(name)) return true;
  const index = dataStream(state, name) ? undefined : nameIndex(state).get(name);
  return index !== undefined && allowsIndex(state, access, index);
}

/** Throws the refusal of a name, which may be date math, that may not be asked for. */
export function requireName(state: ClusterState, access: IndexAccess, name: string, nowMs: number): void {
  if (access === UNRESTRICTED) return;
  const concrete = resolveDateMath(name, nowMs);
  if (!allowsName(state, access, concrete)) throw access.refuse([concrete]);
}

/** Names by which an index that is reached through `name` is granted: the name, and the data stream that it backs. */
export function grantedNames(state: ClusterState, index: IndexMetadata, names: readonly string[]): readonly string[] {
  const stream = dataStreamOf(state, index.uuid);
  return stream === null || names.includes(stream.name) ? names : [...names, stream.name];
}
