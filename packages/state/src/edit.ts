import type { ClusterState, IndexMetadata, ShardRouting } from './state.js';
import { own } from './own.js';

/** A state that knows nothing yet: what a thread has before the first one reaches it. */
export function emptyState(): ClusterState {
  return {
    clusterName: '',
    clusterUuid: '_na_',
    stateUuid: '_na_',
    term: 0,
    version: 0,
    masterNodeId: null,
    votingConfiguration: [],
    nodes: new Map(),
    blocks: [],
    indices: new Map(),
    routing: new Map(),
    persistentSettings: {},
    transientSettings: {},
    customs: new Map(),
  };
}

/** The state with index metadata put in place; entries of other indices keep their identity. */
export function withIndex(state: ClusterState, meta: IndexMetadata): ClusterState {
  return { ...state, indices: new Map(state.indices).set(meta.uuid, meta) };
}

export function withIndices(state: ClusterState, metas: Iterable<IndexMetadata>): ClusterState {
  const indices = new Map(state.indices);
  for (const meta of metas) indices.set(meta.uuid, meta);
  return { ...state, indices };
}

export function withRouting(
  state: ClusterState,
  uuid: string,
  shards: readonly (readonly ShardRouting[])[],
): ClusterState {
  return { ...state, routing: new Map(state.routing).set(uuid, shards) };
}

/** One named section of plain JSON, empty when it was never written. */
export function section(state: ClusterState, name: string): Readonly<Record<string, unknown>> {
  return state.customs.get(name) ?? {};
}

export function withSection(state: ClusterState, name: string, value: Readonly<Record<string, unknown>>): ClusterState {
  return { ...state, customs: new Map(state.customs).set(name, value) };
}

export function withEntry(state: ClusterState, name: string, key: string, value: unknown): ClusterState {
  return withSection(state, name, { ...section(state, name), [key]: value });
}

/** An entry of a section, or undefined. */
export function entry(state: ClusterState, name: string, key: string): unknown {
  return own(section(state, name), key);
}

export function indexByName(state: ClusterState, name: string): IndexMetadata | null {
  return nameIndex(state).get(name) ?? null;
}

const nameIndexes = new WeakMap<ReadonlyMap<string, IndexMetadata>, ReadonlyMap<string, IndexMetadata>>();

/** Index metadata by name; derived once for each set of indices. */
export function nameIndex(state: ClusterState): ReadonlyMap<string, IndexMetadata> {
  let names = nameIndexes.get(state.indices);
  if (!names) {
    names = new Map([...state.indices.values()].map((meta) => [meta.name, meta]));
    nameIndexes.set(state.indices, names);
  }
  return names;
}
