import { clusterSetting, type ClusterState, editMap, section } from '@shoal/state';
import { withSection } from './edit-state.js';

/**
 * A deleted index. Nodes that were away delete their copies because of it. Entry of the section `tombstones`, by uuid.
 */
export interface Tombstone {
  readonly name: string;
  readonly uuid: string;
  readonly deletedAtMs: number;
}

/** Returns the tombstones of deleted indices. */
export function tombstones(state: ClusterState): readonly Tombstone[] {
  return Object.values(section(state, 'tombstones')) as Tombstone[];
}

/** Adds tombstones and drops the oldest beyond `cluster.indices.tombstones.size`. */
function bury(state: ClusterState, dead: readonly Tombstone[]): ClusterState {
  const kept = [...tombstones(state), ...dead].slice(-Number(clusterSetting(state, 'cluster.indices.tombstones.size')));
  return withSection(state, 'tombstones', Object.fromEntries(kept.map((stone) => [stone.uuid, stone])));
}

/** Adds the tombstone of an index that is not in the state: nodes delete stores that they have of it. */
export const buryUnknown = (state: ClusterState, dead: Tombstone): ClusterState => bury(state, [dead]);

/** Removes indices with their routing and blocks from the state and adds tombstones. */
export function removeIndices(state: ClusterState, uuids: readonly string[], nowMs: number): ClusterState {
  const doomed = uuids.flatMap((uuid) => state.indices.get(uuid) ?? []);
  if (doomed.length === 0) return state;
  const gone = new Set(doomed.map((meta) => meta.uuid));
  const buried = bury(
    state,
    doomed.map(({ name, uuid }) => ({ name, uuid, deletedAtMs: nowMs })),
  );
  return {
    ...buried,
    indices: editMap(state.indices, [], gone),
    routing: editMap(state.routing, [], gone),
    blocks: state.blocks.some((block) => block.indexUuid !== null && gone.has(block.indexUuid))
      ? state.blocks.filter((block) => block.indexUuid === null || !gone.has(block.indexUuid))
      : state.blocks,
  };
}
