import type { ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from './allocation.js';
import { canAllocate } from './decide.js';
import type { Verdict } from './decision.js';
import { byWeight, type Weights } from './weights.js';

export interface Choice {
  readonly node: AllocationNode | null;
  /** NO: no node may have the copy. THROTTLE: the best one has too much to do right now. */
  readonly verdict: Verdict;
}

const NONE: Choice = { node: null, verdict: 'NO' };

/** The emptiest node that may have a copy, or one hardly fuller where that has too much to do. */
export function chooseNode(allocation: Allocation, weights: Weights, copy: ShardRouting): Choice {
  let throttled: Choice = NONE;
  let throttledWeight = Infinity;
  for (const { node, weight } of byWeight(weights, allocation, copy.indexUuid)) {
    if (weight > throttledWeight + allocation.settings.weights.threshold) break;
    const verdict = canAllocate(allocation, copy, node);
    if (verdict === 'YES') return { node, verdict };
    if (verdict === 'NO' || throttled.node !== null) continue;
    throttled = { node, verdict };
    throttledWeight = weight;
  }
  return throttled;
}
