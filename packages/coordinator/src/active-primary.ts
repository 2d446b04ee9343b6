import { type ClusterState, isActive, type ShardRouting } from '@shoal/state';

/** The copies of a shard, wherever they are; none of an index that is gone. */
export function copiesOf(state: ClusterState, indexUuid: string, shard: number): readonly ShardRouting[] {
  return state.routing.get(indexUuid)?.[shard] ?? [];
}

/** The primary of a shard that takes operations; null while there is none. */
export function activePrimary(state: ClusterState, indexUuid: string, shard: number): ShardRouting | null {
  return copiesOf(state, indexUuid, shard).find((copy) => copy.primary && isActive(copy)) ?? null;
}
