import type { IndexMetadata, ShardRouting } from '@shoal/state';
import type { Allocation } from './allocation.js';
import { chooseNode } from './choose-node.js';
import { canRemain } from './decide.js';
import { filtersOf } from './deciders/filter.js';
import { isAnyGoing } from './deciders/node-shutdown.js';
import { moveCopy } from './move-copy.js';
import { requiredFreeBytes, watermark } from './watermarks.js';
import { Weights } from './weights.js';

/**
 * Whether a cluster-wide rule may force copies off their nodes. Checked once, as most clusters have no such rule and
 * then skip all their indices.
 */
function clusterMayExpel(allocation: Allocation): boolean {
  const { settings, state, context, nodes } = allocation;
  if (settings.filters.length > 0 || settings.awareness.length > 0 || settings.totalShardsPerNode > 0) return true;
  if (isAnyGoing(state)) return true;
  if ([...nodes.values()].some(({ info }) => !info.roles.includes('data'))) return true;
  if (!context.disk) return false;
  const high = watermark(state, 'high', context.nodeSettings);
  return [...nodes.values()].some((node) => {
    const usage = context.disk!(node.info.id);
    return (
      usage !== null &&
      usage.freeBytes + node.leavingBytes - node.incomingBytes < requiredFreeBytes(high, usage.totalBytes)
    );
  });
}

function indexMayExpel(meta: IndexMetadata): boolean {
  return (
    filtersOf(meta).length > 0 || Number(meta.settings['index.routing.allocation.total_shards_per_node'] ?? -1) > 0
  );
}

function moveAway(allocation: Allocation, weights: Weights, copy: ShardRouting): void {
  const node = allocation.nodes.get(copy.nodeId ?? '');
  if (!node || canRemain(allocation, copy, node) !== 'NO') return;
  const choice = chooseNode(allocation, weights, copy);
  if (!choice.node || choice.verdict !== 'YES') return;
  moveCopy(allocation, copy, choice.node.info.id);
  weights.placed(copy.indexUuid, copy.shard, choice.node.info.id, copy.nodeId);
}

/** Phase 4: moves started copies off nodes where they may not stay. */
export function moveShards(allocation: Allocation): void {
  if (allocation.nodes.size < 2) return;
  const everywhere = clusterMayExpel(allocation);
  let weights: Weights | null = null;
  for (const [uuid] of allocation.state.routing) {
    const meta = allocation.meta(uuid);
    if (!meta || !(everywhere || indexMayExpel(meta))) continue;
    weights ??= new Weights(allocation);
    for (const copies of [...allocation.table(uuid)]) {
      for (const copy of copies) if (copy.state === 'STARTED') moveAway(allocation, weights, copy);
    }
  }
}
