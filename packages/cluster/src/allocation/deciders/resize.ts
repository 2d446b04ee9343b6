import { type IndexMetadata, type ShardRouting, isActive } from '@shoal/state';
import { nodesWithAll, primaryOf } from '../copies.js';
import type { Allocation, AllocationNode } from '../allocation.js';
import type { Decision } from '../decision.js';
import type { Decider } from './decider.js';

const NAME = 'resize';

/** Decides on a shard made by shrink: the node must have a copy of every source shard. */
function nextToAll(node: AllocationNode, source: IndexMetadata, allocation: Allocation): Decision {
  const nodes = nodesWithAll(allocation.table(source.uuid));
  if (nodes.includes(node.info.id))
    return allocation.decide(NAME, 'YES', () => 'the node holds a copy of every shard of the source');
  return allocation.decide(
    'filter',
    'NO',
    () =>
      `initial allocation of the shrunken index is only allowed on nodes [_id:"${nodes.join(' OR ')}"] that hold a ` +
      'copy of every shard in the index',
  );
}

function nextToOne(
  copy: ShardRouting,
  node: AllocationNode,
  meta: IndexMetadata,
  source: IndexMetadata,
  allocation: Allocation,
): Decision {
  const shard = Math.floor(copy.shard / (meta.numberOfShards / source.numberOfShards));
  const primary = primaryOf(allocation.copies(source.uuid, shard));
  if (!primary || !isActive(primary))
    return allocation.decide(NAME, 'NO', () => `source primary shard [[${source.name}][${shard}]] is not active`);
  if (primary.nodeId !== node.info.id)
    return allocation.decide(NAME, 'NO', () => 'source primary is allocated on another node');
  return allocation.decide(NAME, 'YES', () => 'source primary is allocated on this node');
}

/**
 * Keeps a split or cloned shard next to the primary that it copies from, and a shrunken one on a node with a copy of
 * every source shard.
 */
export const resize: Decider = {
  name: NAME,
  canAllocate(copy, node, allocation) {
    const meta =
      copy.recoverySource === 'LOCAL_SHARDS' && copy.nodeId === null ? allocation.meta(copy.indexUuid) : undefined;
    if (!meta?.resizeSource) return null;
    const { uuid, name, kind } = meta.resizeSource;
    const source = allocation.meta(uuid);
    if (!source) return allocation.decide(NAME, 'NO', () => `resize source index [[${name}/${uuid}]] doesn't exists`);
    return kind === 'shrink' ? nextToAll(node, source, allocation) : nextToOne(copy, node, meta, source, allocation);
  },
};
