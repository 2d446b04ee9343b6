import {
  checkIndexBlocks,
  type ClusterState,
  nodeJson,
  requestedAliases,
  searchTargets,
  type ShardRouting,
} from '@shoal/state';
import { searchShards } from '../search/targets/search-shards.js';
import { ACTIONS, accessOf } from '../access.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import type { IndexExpression } from '../index-expression.js';

function copyJson(state: ClusterState, copy: ShardRouting): Record<string, unknown> {
  return {
    state: copy.state,
    primary: copy.primary,
    node: copy.nodeId,
    relocating_node: copy.relocatingNodeId,
    shard: copy.shard,
    index: state.indices.get(copy.indexUuid)?.name ?? '',
    ...(copy.allocationId === null ? {} : { allocation_id: { id: copy.allocationId } }),
    relocation_failure_info: { failed_attempts: copy.relocationFailures ?? 0 },
  };
}

function indexJson(
  filter: Readonly<Record<string, unknown>> | null,
  aliases: readonly string[],
): Record<string, unknown> {
  return { ...(aliases.length === 0 ? {} : { aliases }), ...(filter === null ? {} : { filter }) };
}

/** Returns the answer of `_search_shards`: the copies that a search would ask. */
export function searchShardsJson(
  context: CoordinatorContext,
  target: IndexExpression,
  routing: string | null,
  preference: string | null,
  call: CallContext,
): Record<string, unknown> {
  const state = context.cluster.state();
  const access = accessOf(call, ACTIONS.searchShards);
  const nowMs = context.clock.now();
  const routings = routing === null ? null : routing.split(',');
  const targets = searchTargets(state, target.names, target.options, routings, access, nowMs);
  checkIndexBlocks(
    state,
    targets.map(({ index }) => index),
    'metadata_read',
  );
  const shards = searchShards(state, targets, { preference, localNodeId: context.localNodeId, seed: 0 });
  const nodeIds = new Set(shards.flatMap((shard) => shard.copies.map((copy) => copy.nodeId!)));
  const nodes = [...nodeIds].flatMap((id): [string, unknown][] => {
    const node = state.nodes.get(id);
    return node ? [[id, nodeJson(node)]] : [];
  });
  return {
    nodes: Object.fromEntries(nodes),
    indices: Object.fromEntries(
      targets.map(({ index, filter }) => [
        index.name,
        indexJson(filter, requestedAliases(state, target.names, index, access, nowMs)),
      ]),
    ),
    shards: shards.map((shard) => shard.copies.map((copy) => copyJson(state, copy))),
  };
}
