import type { ClusterState, IndexMetadata } from './state.js';
import { ownProperty } from '@shoal/json';
import { derivedOf, editMap } from './edited-map.js';

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

type Indices = ClusterState['indices'];

const names = derivedOf(
  (indices: Indices): Indices => new Map([...indices.values()].map((meta) => [meta.name, meta])),
  (before, from, to, uuids) => {
    const gone = [...uuids].flatMap((uuid) => (to.has(uuid) ? [] : (from.get(uuid)?.name ?? [])));
    const put = [...uuids].flatMap((uuid) => to.get(uuid) ?? []).map((meta) => [meta.name, meta] as const);
    return editMap(before, put, gone);
  },
);

/** Index metadata by name. Computed once for each map of indices. */
export const nameIndex = (state: ClusterState): ReadonlyMap<string, IndexMetadata> => names(state.indices);
