import { deepEqual, ownProperty } from '@shoal/json';
import { type ClusterState, editMap, type IndexMetadata, section, type ShardRouting } from '@shoal/state';

/** Returns the state with `meta` added or replaced. Metadata of other indices keeps its identity. */
export function withIndex(state: ClusterState, meta: IndexMetadata): ClusterState {
  return { ...state, indices: editMap(state.indices, [[meta.uuid, meta]]) };
}

/** Returns the state with the metadata of several indices added or replaced. */
export function withIndices(state: ClusterState, metas: Iterable<IndexMetadata>): ClusterState {
  const entries = [...metas].map((meta) => [meta.uuid, meta] as const);
  return { ...state, indices: editMap(state.indices, entries) };
}

/** Returns the state with the routing table of an index added or replaced. */
export function withRouting(
  state: ClusterState,
  uuid: string,
  shards: readonly (readonly ShardRouting[])[],
): ClusterState {
  return { ...state, routing: editMap(state.routing, [[uuid, shards]]) };
}

/** Returns the state with a named section replaced. */
export function withSection(state: ClusterState, name: string, value: Readonly<Record<string, unknown>>): ClusterState {
  return { ...state, customs: new Map(state.customs).set(name, value) };
}

/** Returns the state with one entry of a section added or replaced; the same state if it has that entry. */
export function withEntry(state: ClusterState, name: string, key: string, value: unknown): ClusterState {
  if (deepEqual(ownProperty(section(state, name), key), value)) return state;
  return withSection(state, name, { ...section(state, name), [key]: value });
}

/** Returns a copy of a record without some keys. */
export function withoutKeys<T>(record: Readonly<Record<string, T>>, keys: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)));
}
