import type { ClusterState, IndexMetadata } from './state.js';
import { ownProperty } from '@shoal/json';

/** The state of a thread before it has received one: no nodes, no indices, no master. */
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

/** Returns a named section of plain JSON; empty if it was never written. */
export function section(state: ClusterState, name: string): Readonly<Record<string, unknown>> {
  return state.customs.get(name) ?? {};
}

/** Returns an entry of a section; undefined if there is none. */
export function sectionEntry(state: ClusterState, name: string, key: string): unknown {
  return ownProperty(section(state, name), key);
}

const nameIndexes = new WeakMap<ReadonlyMap<string, IndexMetadata>, ReadonlyMap<string, IndexMetadata>>();

/** Index metadata by name. Computed once for each map of indices. */
export function nameIndex(state: ClusterState): ReadonlyMap<string, IndexMetadata> {
  let names = nameIndexes.get(state.indices);
  if (!names) {
    names = new Map([...state.indices.values()].map((meta) => [meta.name, meta]));
    nameIndexes.set(state.indices, names);
  }
  return names;
}
