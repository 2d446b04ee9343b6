import {
  checkPatterns,
  type ClusterState,
  clusterSetting,
  type IndexAccess,
  type IndexMetadata,
  resolveIndices,
  searchTargets,
  type ShardRouting,
  indexBlock,
  checkClusterBlocks,
} from '@shoal/state';
import { type CopyChoice, orderCopies } from './choose-copies.js';
import { searchShards } from './search-shards.js';
import { limitsBytes } from '../../access.js';
import type { CoordinatorContext } from '../../context.js';
import type { IndexExpression } from '../../index-expression.js';
import { encodeJson } from '../../json-bytes.js';
import type { FoundShard, TargetShard } from './target-shard.js';

export type { TargetShard };

/** Options that select or weight the shards of a search. */
export interface TargetOptions {
  readonly routing: string | null;
  readonly preference: string | null;
  readonly indicesBoost: readonly (readonly [pattern: string, boost: number])[];
  readonly access: IndexAccess;
  /** Owner of the search; undefined if security is off. */
  readonly owner: string | undefined;
}

function boosts(state: ClusterState, target: IndexExpression, options: TargetOptions): ReadonlyMap<string, number> {
  const byIndex = new Map<string, number>();
  const patterns = options.indicesBoost.map(([pattern]) => pattern);
  checkPatterns(state, patterns);
  for (const [pattern, boost] of options.indicesBoost) {
    for (const index of resolveIndices(state, [pattern], target.options, options.access))
      if (!byIndex.has(index.uuid)) byIndex.set(index.uuid, boost);
  }
  return byIndex;
}

function checkReadable(state: ClusterState, index: IndexMetadata): void {
  const block = indexBlock(state, index, 'read');
  if (block) throw block;
}

/** Returns the rank function; none with a single node or without adaptive replica selection. */
function ranked({ ranks }: CoordinatorContext, state: ClusterState): { rank?: (nodeId: string) => number } {
  if (state.nodes.size < 2 || clusterSetting(state, 'cluster.routing.use_adaptive_replica_selection') === 'false')
    return {};
  return { rank: (nodeId) => ranks.rank(nodeId) };
}

function choiceOf(context: CoordinatorContext, state: ClusterState, preference: string | null): CopyChoice {
  const seed = preference === null ? Math.floor(context.random.next() * 0x40000000) : 0;
  return { localNodeId: context.localNodeId, seed, ...ranked(context, state) };
}

/** Returns cached shards of a search without preference, with copies in their present order. */
export function orderedAnew(context: CoordinatorContext, found: readonly FoundShard[]): readonly TargetShard[] {
  if (!found.some(({ copies }) => copies.length > 1)) return found.map(({ target }) => target);
  const choice = choiceOf(context, context.cluster.state(), null);
  return found.map(({ target, copies }) => (copies.length < 2 ? target : onNodes(target, orderCopies(copies, choice))));
}

function onNodes(target: TargetShard, copies: readonly ShardRouting[]): TargetShard {
  const { indexName, indexUuid, shard, filter, boost, reader, shards, access, owner } = target;
  return {
    indexName,
    indexUuid,
    shard,
    filter,
    boost,
    nodeIds: copies.map((copy) => copy.nodeId!),
    reader,
    shards,
    access,
    owner,
  };
}

/**
 * Returns the shards of an expression with routing and preference, in the order of `searchShards`. Throws for missing,
 * closed and blocked indices.
 */
export function targetShards(
  context: CoordinatorContext,
  target: IndexExpression,
  options: TargetOptions,
): TargetShard[] {
  return findShards(context, target, options).map((found) => found.target);
}

/** As `targetShards`, with the copies, so that they can be ordered again later. */
export function findShards(context: CoordinatorContext, target: IndexExpression, options: TargetOptions): FoundShard[] {
  const state = context.cluster.state();
  checkClusterBlocks(state, 'read');
  const routings = options.routing === null ? null : options.routing.split(',');
  const targets = searchTargets(state, target.names, target.options, routings, options.access, context.clock.now());
  for (const { index } of targets) checkReadable(state, index);
  const boost = options.indicesBoost.length === 0 ? null : boosts(state, target, options);
  const filters = new Map(
    targets.map((found) => [found, found.filter === null ? undefined : encodeJson(found.filter)]),
  );
  const limits = new Map(targets.map((found) => [found, limitsBytes(found.limits, context.clock.now())]));
  const shards = searchShards(state, targets, {
    preference: options.preference,
    ...choiceOf(context, state, options.preference),
  });
  return shards.map((found) => ({
    target: {
      indexName: found.target.index.name,
      indexUuid: found.target.index.uuid,
      shard: found.shard,
      filter: filters.get(found.target),
      boost: boost?.get(found.target.index.uuid) ?? 1,
      nodeIds: found.copies.map((copy) => copy.nodeId!),
      reader: null,
      shards: found.target.index.numberOfShards,
      access: limits.get(found.target),
      owner: options.owner,
    },
    copies: found.copies,
  }));
}
