import { errors } from '@shoal/errors';
import type { ClusterState, IndexMetadata, ShardRouting } from '@shoal/state';

/** Returns the primaries of an index, by shard. */
export function primariesOf(state: ClusterState, uuid: string): readonly ShardRouting[] {
  return (state.routing.get(uuid) ?? []).map((copies) => copies.find((copy) => copy.primary)!);
}

/** The node that has the primary of a shard; null if it is on none. */
export function nodeOfPrimary(state: ClusterState, { uuid }: IndexMetadata, number: number): string | null {
  return primariesOf(state, uuid)[number]?.nodeId ?? null;
}

/** Whether a restored shard has failed and will not be retried. */
export function isGivenUp({ state, unassigned }: ShardRouting): boolean {
  return state === 'UNASSIGNED' && unassigned?.status === 'deciders_no';
}

/** Throws snapshot_exception if a shard of a snapshot that must be whole has no primary that could write it. */
export function checkPrimaries(state: ClusterState, snapshot: string, indices: readonly IndexMetadata[]): void {
  const numbersOf = ({ numberOfShards }: IndexMetadata): number[] =>
    Array.from({ length: numberOfShards }, (_, i) => i);
  const missing = indices.filter((index) => numbersOf(index).some((i) => nodeOfPrimary(state, index, i) === null));
  if (missing.length > 0)
    throw errors.snapshot(
      `[${snapshot}] Indices don't have primary shards [${missing.map(({ name }) => name).join(', ')}]`,
    );
}
