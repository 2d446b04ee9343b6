import type { ShardRouting } from '../state.js';
import type { Allocation, AllocationNode } from './allocation.js';
import { canAllocate } from './decide.js';
import type { Verdict } from './decision.js';
import { shardKey } from './context.js';
import { byWeight, type Weights } from './weights.js';

export interface Choice {
  readonly node: AllocationNode | null;
  /** NO: no node may have the copy. THROTTLE: the best one has too much to do right now. */
  readonly verdict: Verdict;
}

const NONE: Choice = { node: null, verdict: 'NO' };

/** The emptiest node that may have a copy, or one hardly fuller where that has too much to do; where the cluster's desired balance names nodes, one of those if any may. */
export function chooseNode(allocation: Allocation, weights: Weights, copy: ShardRouting): Choice {
  const desired = allocation.context.desired?.nodes.get(shardKey(copy.indexUuid, copy.shard));
  const ordered = byWeight(weights, allocation, copy.indexUuid);
  let best: Choice = NONE;
  let bestWeight = Infinity;
  let bestIsDesired = false;
  for (const { node, weight } of ordered) {
    const isDesired = desired?.has(node.info.id) === true;
    if (best.verdict === 'YES' && (!isDesired || bestIsDesired)) {
      if (!desired) break;
      continue;
    }
    if (best.verdict === 'THROTTLE' && !isDesired && weight > bestWeight + allocation.settings.weights.threshold) break;
    const verdict = canAllocate(allocation, copy, node);
    if (verdict === 'NO') continue;
    if (best.node === null || (isDesired && !bestIsDesired) || (verdict === 'YES' && best.verdict === 'THROTTLE')) {
      best = { node, verdict };
      bestWeight = weight;
      bestIsDesired = isDesired;
    }
  }
  return best;
}
