import { type ClusterState, isActive, type ShardRouting } from '@shoal/state';

/** Returns all copies of a shard; none if the index was deleted. */
export function copiesOf(state: ClusterState, indexUuid: string, shard: number): readonly ShardRouting[] {
  return state.routing.get(indexUuid)?.[shard] ?? [];
}

/** Returns the active primary of a shard; null if there is none. */
export function activePrimary(state: ClusterState, indexUuid: string, shard: number): ShardRouting | null {
  return copiesOf(state, indexUuid, shard).find((copy) => copy.primary && isActive(copy)) ?? null;
}
