import { isActive } from '../copies.js';
import type { Decider } from './decider.js';

const NAME = 'resize';

/** A split or cloned shard begins next to the primary that it comes from. */
export const resize: Decider = {
  name: NAME,
  canAllocate(copy, node, allocation) {
    if (copy.recoverySource !== 'LOCAL_SHARDS' || copy.nodeId !== null) return null;
    const meta = allocation.meta(copy.indexUuid);
    const source = meta?.resizeSource ? allocation.meta(meta.resizeSource.uuid) : undefined;
    if (!meta?.resizeSource || meta.resizeSource.kind === 'shrink') return null;
    if (!source) return allocation.decide(NAME, 'NO', () => `resize source index [[${meta.resizeSource!.name}/${meta.resizeSource!.uuid}]] doesn't exists`);
    const shard = Math.floor(copy.shard / (meta.numberOfShards / source.numberOfShards));
    const primary = allocation.copies(source.uuid, shard).find((other) => other.primary);
    if (!primary || !isActive(primary)) return allocation.decide(NAME, 'NO', () => `source primary shard [[${source.name}][${shard}]] is not active`);
    if (primary.nodeId !== node.info.id) return allocation.decide(NAME, 'NO', () => 'source primary is allocated on another node');
    return allocation.decide(NAME, 'YES', () => 'source primary is allocated on this node');
  },
};
