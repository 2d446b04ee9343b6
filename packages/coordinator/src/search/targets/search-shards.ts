import { type ClusterState, type SearchTarget, type ShardRouting, shardsOfRouting } from '@shoal/state';
import { chooseCopies, type CopyChoice, parsePreference } from './choose-copies.js';

/** A shard to search, with its copies in the order in which they are asked. If `copies` is empty, none can answer. */
export interface SearchShard {
  readonly target: SearchTarget;
  readonly shard: number;
  readonly copies: readonly ShardRouting[];
}

/** Preference and order of copies of one search. */
export interface SearchShardsOptions extends CopyChoice {
  readonly preference: string | null;
}

function shardNumbers(target: SearchTarget): readonly number[] {
  if (!target.routings) return Array.from({ length: target.index.numberOfShards }, (_, shard) => shard);
  const shards = target.routings.flatMap((routing) => shardsOfRouting(target.index, routing));
  return [...new Set(shards)].sort((a, b) => a - b);
}

/**
 * Returns the shards of a search, each with its active copies in the order of the preference. The order of shards is
 * that of equal hits: by number, then by name of the index (ShardId.compareTo of Elasticsearch).
 */
export function searchShards(
  state: ClusterState,
  targets: readonly SearchTarget[],
  options: SearchShardsOptions,
): SearchShard[] {
  const preference = parsePreference(options.preference);
  const { shards: wanted } = preference;
  const shards = targets.flatMap((target) =>
    shardNumbers(target)
      .filter((shard) => !wanted || wanted.has(shard))
      .map((shard) => ({ target, shard, copies: chooseCopies(state, target.index, shard, preference, options) })),
  );
  return shards.sort((a, b) => compareShards(a.shard, a.target.index.name, b.shard, b.target.index.name));
}

/** Compares shards by number, then by the name of their index: the order of equal hits. */
export function compareShards(shardA: number, indexA: string, shardB: number, indexB: string): number {
  return shardA - shardB || (indexA < indexB ? -1 : indexA > indexB ? 1 : 0);
}
